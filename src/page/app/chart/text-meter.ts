import type { MeasureText } from "./measure-text.ts";

/** As charts draw it: 12 pixels high, in the font of the page. */
export function textMeter(): MeasureText {
  const context = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  return (text, weight = 400) => {
    if (!context) return text.length * 8;
    context.font = `${weight} 12px ${family}`;
    return Math.ceil(context.measureText(text).width);
  };
}
