import { type PlotOptions, plot } from "@observablehq/plot";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface PlotFigureProps {
  /** What the chart shows, in a sentence with its figures. */
  readonly label: string;
  readonly height: number;
  readonly draw: (width: number) => PlotOptions;
}

/** A chart as wide as its container. `draw` must stay the same function while the data is the same. */
export function PlotFigure({ label, height, draw }: PlotFigureProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  useLayoutEffect(() => {
    if (width === 0) return;
    const svg = plot({
      // The page's policy only allows the style for this class name.
      className: "plot",
      width,
      height,
      style: { fontSize: "12px" },
      ...draw(width),
    });
    svg.setAttribute("aria-hidden", "true");
    place.current?.replaceChildren(svg);
  }, [width, height, draw]);
  return (
    <figure aria-label={label}>
      <div ref={place} style={{ minHeight: `${height}px` }} />
    </figure>
  );
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
