import { describeGrowth } from "./describe-growth.ts";

describeGrowth(["messages", "agent", "series", "shapes", "money"]);
