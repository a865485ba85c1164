import { useLayoutEffect, useState } from "preact/hooks";

/** Is the page being printed? What is only drawn when it can be seen must be there as a whole then. */
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
