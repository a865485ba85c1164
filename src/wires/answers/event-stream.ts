/** Receives the events of a stream. */
export interface EventSink {
  /** A piece of an event's data, split anywhere. */
  push(text: string): void;
  /** The event is complete. */
  end(): void;
}

const DATA = "data:";

/**
 * Server-sent events: passes the data of each on as it comes. Keeps no line and no event, however long. Other
 * fields and comments are ignored.
 */
export class EventStream {
  readonly #sink: EventSink;
  /** The beginning of a line, until its field is known. */
  #head: string | undefined = "";
  #isData = false;
  /** The blank before the data is not part of it. */
  #isFirst = false;
  #hasData = false;
  #endedInReturn = false;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  push(text: string): void {
    let at = this.#endedInReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#endedInReturn = false;
    let [feed, carriage] = [-1, -1];
    while (at < text.length) {
      // Each is searched only after the previous find was passed, so that no stretch is searched twice.
      if (feed < at) feed = indexOrEnd(text, "\n", at);
      if (carriage < at) carriage = indexOrEnd(text, "\r", at);
      const end = Math.min(feed, carriage);
      this.#read(text.slice(at, end));
      if (end === text.length) return;
      this.#endLine();
      at = end + (text.startsWith("\r\n", end) ? 2 : 1);
      this.#endedInReturn = at === text.length && text.endsWith("\r");
    }
  }

  end(): void {
    this.#endLine();
    this.#endEvent();
  }

  #read(piece: string): void {
    let rest = piece;
    if (this.#head !== undefined) {
      const missing = DATA.length - this.#head.length;
      this.#head += rest.slice(0, missing);
      rest = rest.slice(missing);
      if (this.#head.length < DATA.length) return;
      this.#isData = this.#head === DATA;
      this.#isFirst = true;
      this.#head = undefined;
      if (this.#isData && this.#hasData) this.#sink.push("\n");
    }
    if (!this.#isData || rest === "") return;
    this.#hasData = true;
    this.#sink.push(this.#isFirst && rest.startsWith(" ") ? rest.slice(1) : rest);
    this.#isFirst = false;
  }

  /** An empty line ends an event. */
  #endLine(): void {
    if (this.#head === "") this.#endEvent();
    this.#head = "";
    this.#isData = false;
  }

  #endEvent(): void {
    if (this.#hasData) this.#sink.end();
    this.#hasData = false;
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}
