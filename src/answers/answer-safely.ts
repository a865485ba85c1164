import { describeError } from "../basics/issue.ts";

/** Answers even if an error is thrown, so that the agent's call never fails because of its input or the host. */
export function answerSafely(answer: () => string): string {
  try {
    return answer();
  } catch (error) {
    const why = describeError(error).replace(/\s+/g, " ").slice(0, 200);
    return `Nothing changed: this call could not be answered (${why}). Go on without it.`;
  }
}
