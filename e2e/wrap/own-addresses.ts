import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The addresses of clients' models, unless settings name another. */
const NAMES = [
  "api.anthropic.com",
  "api.openai.com",
  "chatgpt.com",
  "generativelanguage.googleapis.com",
  "dashscope.aliyuncs.com",
];

export interface OwnAddresses {
  /** Words before a command: for its child processes, these names are this machine. */
  readonly before: readonly string[];
  /** So that it accepts our certificate. */
  readonly env: Readonly<Record<string, string>>;
  /** At the latest with the test. */
  close(): Promise<void>;
}

/**
 * The providers' own addresses, over TLS, lead to a provider on loopback. Only inside a separate network namespace,
 * where port 443 is free, and for commands that see another `/etc/hosts`.
 */
export async function openOwnAddresses(provider: string): Promise<OwnAddresses> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-addresses-"));
  const at = (name: string) => join(folder, name);
  writeFileSync(at("hosts"), ["localhost", ...NAMES].map((name) => `127.0.0.1 ${name}\n`).join(""));
  makeCertificates(folder);
  const server = createServer(
    { key: readFileSync(at("key.pem")), cert: readFileSync(at("cert.pem")) },
    (incoming, outgoing) => {
      const { method, url, rawHeaders } = incoming;
      const asked = request(`${provider}${url}`, { method, headers: rawHeaders as never }, (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders as never);
        response.pipe(outgoing);
      });
      asked.on("error", () => outgoing.destroy());
      incoming.pipe(asked);
    },
  );
  // Like the proxy: Codex then uses HTTP.
  server.on("upgrade", (_, socket) =>
    socket.end("HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\n\r\n"),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(443, "127.0.0.1", resolve);
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  };
  onTestFinished(close);
  return {
    close,
    before: ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', at("hosts")],
    env: { NODE_EXTRA_CA_CERTS: at("ca.pem"), SSL_CERT_FILE: at("ca.pem") },
  };
}

function makeCertificates(folder: string): void {
  const openssl = (...args: readonly string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const names = NAMES.map((name) => `DNS:${name}`).join(",");
  writeFileSync(join(folder, "names.cnf"), `subjectAltName=${names}\nbasicConstraints=CA:FALSE\n`);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-days",
    "2",
    "-subj",
    "/CN=Coppice tests",
    "-keyout",
    "ca-key.pem",
    "-out",
    "ca.pem",
  );
  openssl("req", ...key, "-subj", "/CN=provider", "-keyout", "key.pem", "-out", "request.pem");
  const ca = ["-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial"];
  openssl(
    "x509",
    "-req",
    "-in",
    "request.pem",
    ...ca,
    "-days",
    "2",
    "-extfile",
    "names.cnf",
    "-out",
    "cert.pem",
  );
}
