import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";

export interface RowOptions {
  readonly count: number;
  /** A row's assumed height until it is rendered. */
  readonly estimate: (row: number) => number;
  readonly keyOf: (row: number) => number | string;
  /** Height of the elements that stick to the top of the window. */
  readonly covered: number;
}

export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  readonly total: number;
  /** Where the list begins on the page. */
  readonly margin: number;
  readonly measure: (node: Element | null) => void;
  readonly scrollTo: (row: number) => void;
  /** Scrolls to the end of the page, although the page grows as rows are rendered on the way. */
  readonly scrollToEnd: () => void;
}

/** The rows of a long list that are near the window. The page itself scrolls. */
export function useVirtualRows(list: RefObject<HTMLElement | null>, options: RowOptions): VirtualRows {
  const [, rerender] = useReducer((count: number, _: undefined) => count + 1, 0);
  const margin = useTop(list);
  const { count, estimate, keyOf, covered } = options;
  const resolved: VirtualizerOptions<Window, Element> = {
    count,
    estimateSize: estimate,
    getItemKey: keyOf,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    scrollMargin: margin,
    scrollPaddingStart: covered,
    overscan: 6,
    onChange: () => rerender(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<Window, Element>(resolved));
  virtualizer.setOptions(resolved);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  const scrollTo = useCallback((row: number) => virtualizer.scrollToIndex(row, { align: "start" }), []);
  const scrollToEnd = useCallback(() => virtualizer.scrollToEnd(), []);
  return {
    items: virtualizer.getVirtualItems(),
    total: virtualizer.getTotalSize(),
    margin,
    measure: virtualizer.measureElement,
    scrollTo,
    scrollToEnd,
  };
}

/** The distance of an element from the top of the page, whatever happens above it. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const look = useCallback(() => {
    if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
  }, []);
  useLayoutEffect(look, []);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return top;
}
