import { describeSession } from "./describe-session.ts";
import { PI } from "./programs.ts";

describeSession(PI);
