import { describeLaws, RUNS } from "./describe-laws.ts";

describeLaws("pi", Math.ceil(RUNS / 5));
