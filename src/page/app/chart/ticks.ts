import { formatNumber } from "../format.ts";

/** Round numbers from 0 up to an amount, about `count` of them. */
export function listTicks(most: number, count: number): readonly number[] {
  if (!(most > 0)) return [0];
  const step = roundStep(most / count);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** Whole numbers from 1 up to `last`: all of them if there is room, or else round ones. */
export function listWholeTicks(last: number, count: number): readonly number[] {
  const step = Math.max(1, roundUp(last / count));
  const round = Array.from({ length: Math.floor(last / step) }, (_, i) => (i + 1) * step);
  return step === 1 ? round : [1, ...round.filter((tick) => tick >= 1 + step / 2)];
}

/** `$0.05` next to `$0.10`: as many decimals as the distance between ticks needs. */
export function formatDollarTick(dollars: number, ticks: readonly number[]): string {
  const step = ticks[1] ?? 1;
  const digits = step >= 1 ? 0 : Math.max(2, Math.ceil(-Math.log10(step) - 1e-9));
  const [whole = "", cents] = dollars.toFixed(digits).split(".");
  return `$${formatNumber(Number(whole))}${cents === undefined ? "" : `.${cents}`}`;
}

/** 1, 2 or 5 times a power of ten: the nearest by ratio. */
function roundStep(wanted: number): number {
  const [power, ratio] = split(wanted);
  return power * (ratio < Math.sqrt(2) ? 1 : ratio < Math.sqrt(10) ? 2 : ratio < Math.sqrt(50) ? 5 : 10);
}

/** The same, but at least `wanted`. */
function roundUp(wanted: number): number {
  const [power, ratio] = split(wanted);
  return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

function split(wanted: number): readonly [power: number, ratio: number] {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [power, wanted / power];
}
