import { type BrowserContext, chromium } from "playwright-core";

/** Debian's Chromium without a window and without background activity. `profile` is an empty folder. */
export function launchChromium(
  profile: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    env: { ...process.env, ...env },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
