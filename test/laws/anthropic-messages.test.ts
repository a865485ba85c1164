import { describeLaws } from "./describe-laws.ts";

describeLaws("anthropic-messages");
