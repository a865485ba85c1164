/** How full the window is, in the words that agents and people read. */
export type PressureLevel = "light" | "moderate" | "high" | "critical";

export interface Pressure {
  readonly used: number;
  readonly window: number;
  readonly share: number;
  readonly level: PressureLevel;
}

export function measurePressure(used: number, window: number): Pressure {
  const share = window > 0 ? used / window : 0;
  const level = share < 0.5 ? "light" : share < 0.75 ? "moderate" : share <= 0.9 ? "high" : "critical";
  return { used, window, share, level };
}
