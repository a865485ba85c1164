import { Agent, request } from "node:http";

/** In milliseconds, from the beginning of the request. */
export interface Timed {
  readonly firstByte: number;
  readonly whole: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** @param onChunk told of everything that comes */
export function ask(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
  onChunk: (chunk: Buffer) => void = () => {},
): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    let firstByte = 0;
    const asked = request(
      `${url}/v1/messages`,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": body.length, ...headers },
      },
      (response) => {
        response.on("data", (chunk: Buffer) => {
          firstByte ||= performance.now() - from;
          onChunk(chunk);
        });
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode === 200) resolve({ firstByte, whole: performance.now() - from });
          else reject(new Error(`answered ${response.statusCode}`));
        });
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** The value below which so many of a hundred lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? 0;
}
