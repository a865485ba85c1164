import { get, type IncomingMessage } from "node:http";

/** Reads server-sent events one after the other. */
export class EventReader {
  readonly #response: IncomingMessage;
  readonly #chunks: AsyncIterator<Buffer>;
  #text = "";

  static open(url: string): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      get(url, { agent: false }, (response) => resolve(new EventReader(response))).on("error", reject);
    });
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.#chunks = response[Symbol.asyncIterator]();
  }

  get status(): number | undefined {
    return this.#response.statusCode;
  }

  get type(): string | undefined {
    return this.#response.headers["content-type"];
  }

  /** The next event of this name; `undefined` at the end. */
  async next(wanted: string): Promise<unknown> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end < 0) {
        const { done, value } = await this.#chunks.next();
        if (done) return undefined;
        this.#text += value.toString();
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (/^event: (.*)$/m.exec(block)?.[1] === wanted)
        return JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null");
    }
  }

  close(): void {
    this.#response.destroy();
  }
}
