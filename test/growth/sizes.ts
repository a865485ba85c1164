/** `GROWTH=full` looks at larger sizes and more settings, and takes ten times as long. */
export const isFull: boolean = process.env.GROWTH === "full";

const LARGE = 1_048_576;

/** Characters of a text. */
export const TEXT_SIZES: readonly number[] = [4_096, 65_536, ...(isFull ? [LARGE] : [])];

/** The same for what is most likely to get a long one. */
export const LONG_TEXT_SIZES: readonly number[] = [4_096, 65_536, LARGE];

/** Steps of a session. */
export const STEP_SIZES: readonly number[] = [100, 400, ...(isFull ? [1_600] : [])];

/** Things in one place: blocks of a message, files of a call, entries of a list. */
export const COUNT_SIZES: readonly number[] = [50, 200, 800];
