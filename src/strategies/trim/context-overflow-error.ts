/** The sizes behind an overflow, in tokens by the fixed estimator. */
export interface OverflowSizes {
  /** Of the given messages. */
  readonly originalTokens: number;
  /** Of what is left when all has been removed that may be. */
  readonly remainingTokens: number;
  readonly targetTokens: number;
}

/** Thrown when what must stay is larger than the target. The given messages are not changed. */
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
