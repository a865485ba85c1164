import { describeGrowth } from "./describe-growth.ts";

describeGrowth(["results", "inputs", "functions", "settings", "wires", "dashboard"]);
