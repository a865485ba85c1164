import { SEAL } from "../setup/own-file.ts";
import type { ServiceText } from "./unit-file.ts";

/** A launchd agent that starts with the user's session, and restarts whenever it ends. */
export function plistFile(
  { command, env }: ServiceText,
  { label, home }: { readonly label: string; readonly home: string },
): string {
  const variables = Object.entries(env).map(
    ([name, value]) => `    <key>${asXml(name)}</key>\n    <string>${asXml(value)}</string>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by coppice init; coppice remove deletes it. ${SEAL} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${asXml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${asXml(word)}</string>\n`).join("")}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join("")}  </dict>
  <key>WorkingDirectory</key>
  <string>${asXml(home)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>1</integer>
  <key>ExitTimeOut</key>
  <integer>10</integer>
  <key>StandardErrorPath</key>
  <string>${asXml(`${home}/Library/Logs/coppice.log`)}</string>
</dict>
</plist>
`;
}

function asXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
