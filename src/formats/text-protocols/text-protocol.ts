/** A call that an answer writes as text. */
export interface TextCall {
  readonly tool: string;
  readonly input: unknown;
}

/** The output of such a call: a span of one of the texts in the message behind the answer. */
export interface TextResult {
  readonly call: TextCall;
  /** Which of the texts. */
  readonly text: number;
  readonly from: number;
  readonly to: number;
  readonly failed?: true;
  readonly exitCode?: number;
}

/** How an agent without tool calls writes commands into its answers, and gets their outputs in user messages. */
export interface TextProtocol {
  /**
   * The outputs in a user message, with the calls of the answer before it: none where the marks of either are missing.
   * The marks themselves are outside of the spans, and there is at most one span in each text. Takes time in proportion
   * to the texts.
   */
  read(texts: readonly string[], answer: string): readonly TextResult[];
}
