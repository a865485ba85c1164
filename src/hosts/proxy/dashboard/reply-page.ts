import type { ServerResponse } from "node:http";
import { escapeHtml } from "../../../page/render-page.ts";

/** Headers for rules that the page's own policy can't express: no framing, no caching, no type guessing. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

export function replyPage(outgoing: ServerResponse, status: number, html: string): void {
  outgoing.writeHead(status, { ...HEADERS, "content-type": "text/html; charset=utf-8" });
  outgoing.end(html);
}

/** A page with one sentence and a link back. */
export function replySentence(outgoing: ServerResponse, status: number, sentence: string): void {
  replyPage(
    outgoing,
    status,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Coppice</title>
</head>
<body>
<main>
<h1>Coppice</h1>
<p>${escapeHtml(sentence)}</p>
<p><a href="../../">All sessions</a></p>
</main>
</body>
</html>
`,
  );
}
