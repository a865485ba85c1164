import { describeLaws } from "./describe-laws.ts";

describeLaws("pi");
