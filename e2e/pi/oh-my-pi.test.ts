import { describeSession } from "./describe-session.ts";
import { OH_MY_PI } from "./programs.ts";

describeSession(OH_MY_PI);
