import { type PlotOptions, plot } from "@observablehq/plot";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useIsPrinting } from "../use-is-printing.ts";
import type { MeasureText } from "./measure-text.ts";
import { textMeter } from "./text-meter.ts";

/** Going from the chart to a request. */
export interface PlotPick {
  readonly count: number;
  /** Describes a request in the chart. */
  readonly describe: (request: number) => string;
  readonly go: (request: number) => void;
}

interface PlotFigureProps {
  /** Describes the chart in a sentence with its figures. */
  readonly label: string;
  readonly height: number;
  /** Its x axis counts requests, from 1. */
  readonly draw: (width: number, measure: MeasureText) => PlotOptions;
  readonly pick?: PlotPick | undefined;
}

/** The width of paper; a printed page does not report its width. */
const PRINT_WIDTH = 660;

type XScale = NonNullable<ReturnType<ReturnType<typeof plot>["scale"]>>;

/** A chart as wide as its container. `draw` must stay the same function while the data is the same. */
export function PlotFigure({ label, height, draw, pick }: PlotFigureProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const isPrinting = useIsPrinting();
  const shown = useWidth(place);
  const width = isPrinting ? PRINT_WIDTH : shown;
  const [scale, setScale] = useState<XScale | undefined>(undefined);
  useLayoutEffect(() => {
    if (width === 0) return;
    const svg = plot({
      // The page's policy only allows the style for this class name.
      className: "plot",
      width,
      height,
      style: { fontSize: "12px" },
      ...draw(width, textMeter()),
    });
    svg.setAttribute("aria-hidden", "true");
    place.current?.replaceChildren(svg);
    setScale(svg.scale("x"));
  }, [width, height, draw]);
  const chart = <div ref={place} style={{ minHeight: `${height}px` }} />;
  return (
    <figure aria-label={label}>
      {pick ? (
        <Picker pick={pick} scale={scale}>
          {chart}
        </Picker>
      ) : (
        chart
      )}
    </figure>
  );
}

interface PickerProps {
  readonly pick: PlotPick;
  readonly scale: XScale | undefined;
  readonly children: JSX.Element;
}

/** A click goes to the request under the pointer; with the keyboard, arrows choose one and Enter goes there. */
function Picker({ pick, scale, children }: PickerProps): JSX.Element {
  const { count, describe, go } = pick;
  const frame = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const [isActive, setActive] = useState(false);
  // Without this the chart library would pin its tip where the reader clicked.
  useLayoutEffect(() => {
    const stop = (event: Event): void => event.stopPropagation();
    frame.current?.addEventListener("pointerdown", stop, { capture: true });
    return () => frame.current?.removeEventListener("pointerdown", stop, { capture: true });
  }, []);
  const onClick = (event: MouseEvent): void => {
    const left = frame.current?.getBoundingClientRect().left ?? 0;
    const number = Math.round(Number(scale?.invert?.(event.clientX - left)));
    if (!Number.isFinite(number)) return;
    const request = Math.max(0, Math.min(count - 1, number - 1));
    setAt(request);
    go(request);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") go(at);
    else {
      const next = moveBy(event.key, at, count);
      if (next === undefined) return;
      setAt(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div
        ref={frame}
        class="plot-frame"
        role="slider"
        tabIndex={0}
        aria-label="Request: arrow keys choose one, Enter goes to it"
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={at + 1}
        aria-valuetext={describe(at)}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={() => setActive(frame.current?.matches(":focus-visible") ?? false)}
        onBlur={() => setActive(false)}
      >
        {children}
        {isActive && scale && <div class="plot-cursor" style={{ left: `${scale.apply(at + 1)}px` }} />}
      </div>
      <p class="note plot-hint" aria-hidden="true">
        {isActive
          ? `${describe(at)} Enter goes there.`
          : "Click to go to that request, or use the arrow keys and Enter."}
      </p>
    </>
  );
}

function moveBy(key: string, at: number, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10));
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - page,
    PageUp: at + page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    setWidth(Math.floor(place.current.clientWidth));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
