import { describeLaws } from "./describe-laws.ts";

describeLaws("gemini");
