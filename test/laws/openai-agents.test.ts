import { describeLaws } from "./describe-laws.ts";

describeLaws("openai-agents");
