import { describeError } from "../basics/issue.ts";

/** An answer whatever happens: the agent's call never fails because of what it, or the host, handed over. */
export function answerSafely(answer: () => string): string {
  try {
    return answer();
  } catch (error) {
    const why = describeError(error).replace(/\s+/g, " ").slice(0, 200);
    return `Nothing changed: this call could not be answered (${why}). Go on without it.`;
  }
}
