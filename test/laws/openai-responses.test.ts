import { describeLaws, RUNS } from "./describe-laws.ts";

describeLaws("openai-responses", Math.ceil(RUNS / 5));
