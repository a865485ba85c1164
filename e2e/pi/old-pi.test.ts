import { describeSession } from "./describe-session.ts";
import { OLD_PI } from "./programs.ts";

describeSession(OLD_PI);
