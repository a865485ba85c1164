import { agentCases } from "./agent-cases.ts";
import { dashboardCases } from "./dashboard-cases.ts";
import { functionCases } from "./function-cases.ts";
import { inputCases } from "./input-cases.ts";
import type { Case } from "./measure.ts";
import { messageCases } from "./message-cases.ts";
import { moneyCases } from "./money-cases.ts";
import { resultCases } from "./result-cases.ts";
import { seriesCases } from "./series-cases.ts";
import { settingsCases } from "./settings-cases.ts";
import { shapeCases } from "./shape-cases.ts";
import { wireCases } from "./wire-cases.ts";

/** Everything public, by type of input. */
export const families: Readonly<Record<string, () => readonly Case[]>> = {
  results: resultCases,
  inputs: inputCases,
  messages: messageCases,
  agent: agentCases,
  functions: functionCases,
  settings: settingsCases,
  series: seriesCases,
  shapes: shapeCases,
  wires: wireCases,
  dashboard: dashboardCases,
  money: moneyCases,
};
