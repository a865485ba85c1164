import { useLayoutEffect, useState } from "preact/hooks";

/** Is the page being printed? Content that is normally rendered only when visible must then be complete. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia("print").matches);
  useLayoutEffect(() => {
    const media = matchMedia("print");
    const look = (): void => setPrinting(media.matches);
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(false);
    media.addEventListener("change", look);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    look();
    return () => {
      media.removeEventListener("change", look);
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}
