#!/usr/bin/env node

const isStatusline = process.argv.length === 3 && process.argv[2] === "statusline";

// Claude Code waits for its status line after every message, so all other commands stay unloaded.
if (isStatusline) await (await import("./statusline.ts")).printStatusline();
else await (await import("./start-cli.ts")).startCli();

export {};
