/** 1: not done, or not completely. 2: the command was not understood. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command. The message says what is wrong and what to do. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
