/** A call that an answer writes as text. */
export interface TextCall {
  readonly tool: string;
  readonly input: unknown;
}

/** The output of such a call: a span of one of the texts in the message behind the answer. */
export interface TextResult {
  readonly call: TextCall;
  /** The index of the text. */
  readonly text: number;
  readonly from: number;
  readonly to: number;
  readonly failed?: true;
  readonly exitCode?: number;
}

/**
 * The way in which an agent without tool calls writes commands into its answers, and gets their outputs in user
 * messages.
 */
export interface TextProtocol {
  /**
   * The outputs in a user message, with the calls of the answer before it. Empty if the delimiters of either are
   * missing. The spans exclude the delimiters, and there is at most one span in each text. Takes linear time.
   */
  read(texts: readonly string[], answer: string): readonly TextResult[];
}
