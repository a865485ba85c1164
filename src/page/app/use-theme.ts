import { useLayoutEffect, useState } from "preact/hooks";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** The reader's system setting, until they choose another for this page. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>("system");
  useLayoutEffect(() => {
    if (theme === "system") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", theme);
  }, [theme]);
  return [theme, () => setTheme((old) => THEMES[(THEMES.indexOf(old) + 1) % THEMES.length] ?? "system")];
}
