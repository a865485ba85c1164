/** The sizes behind an overflow, in tokens by the fixed estimator. */
export interface OverflowSizes {
  /** The tokens of the original messages. */
  readonly originalTokens: number;
  /** The tokens that remain after everything that may be removed. */
  readonly remainingTokens: number;
  readonly targetTokens: number;
}

/** Thrown if the text that must stay is larger than the target. The original messages are not changed. */
export class ContextOverflowError extends Error implements OverflowSizes {
  override readonly name = "ContextOverflowError";
  readonly originalTokens: number;
  readonly remainingTokens: number;
  readonly targetTokens: number;

  constructor({ originalTokens, remainingTokens, targetTokens }: OverflowSizes) {
    super(
      `${remainingTokens} of ${originalTokens} tokens must stay, and the target is ${targetTokens}: raise it, or shorten the system text, the instructions or the task.`,
    );
    this.originalTokens = originalTokens;
    this.remainingTokens = remainingTokens;
    this.targetTokens = targetTokens;
  }
}
