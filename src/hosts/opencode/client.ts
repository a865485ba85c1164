/** The parts of OpenCode's SDK client that Coppice calls. Results are checked where they are read. */
export interface OpenCodeClient {
  readonly tui: { showToast(request: { readonly body: Toast }): Promise<unknown> };
  readonly app: { log(request: { readonly body: LogLine }): Promise<unknown> };
  readonly config: { providers(): Promise<Answer> };
  readonly session: {
    get(request: { readonly path: { readonly id: string } }): Promise<Answer>;
    messages(request: { readonly path: { readonly id: string } }): Promise<Answer>;
  };
}

export interface Toast {
  readonly title?: string;
  readonly message: string;
  readonly variant: "info" | "success" | "warning" | "error";
  readonly duration?: number;
}

interface LogLine {
  readonly service: string;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
}

interface Answer {
  readonly data?: unknown;
}
