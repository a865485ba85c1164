/** The sizes behind an overflow, in tokens by the fixed estimator. */
export interface OverflowSizes {
  /** What there was to trim. */
  readonly originalTokens: number;
  /** What is left when all that may go has gone. */
  readonly remainingTokens: number;
  readonly targetTokens: number;
}

/** What must stay is larger than the target. The messages that were given are untouched. */
export class ContextOverflowError extends Error implements OverflowSizes {
  override readonly name = "ContextOverflowError";
  readonly originalTokens: number;
  readonly remainingTokens: number;
  readonly targetTokens: number;

  constructor({ originalTokens, remainingTokens, targetTokens }: OverflowSizes) {
    super(
      `${remainingTokens} of ${originalTokens} tokens have to stay, and the target is ${targetTokens}: raise it, or shorten the system text, the instructions or the task.`,
    );
    this.originalTokens = originalTokens;
    this.remainingTokens = remainingTokens;
    this.targetTokens = targetTokens;
  }
}
