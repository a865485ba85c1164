import { describeLaws, RUNS } from "./describe-laws.ts";

describeLaws("ai-sdk", Math.ceil(RUNS / 5));
