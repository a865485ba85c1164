/** 1: not done, or not in full. 2: the command was not understood. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command. The message says what is wrong and what to do about it. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
