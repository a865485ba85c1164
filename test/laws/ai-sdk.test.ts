import { describeLaws } from "./describe-laws.ts";

describeLaws("ai-sdk");
