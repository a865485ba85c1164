/** `GROWTH=full` looks at larger sizes and more settings, and takes ten times as long. */
export const isFull: boolean = process.env.GROWTH === "full";

/**
 * Characters of a text, for fast functions, for slower ones, for those most likely to get a long text, and there
 * for texts that cause the most work: the longer, the smaller the growth that shows.
 */
export const TEXT_SIZES: readonly number[] = isFull ? [4_096, 65_536, 1_048_576] : [4_096, 65_536];
export const SMALL_TEXT_SIZES: readonly number[] = isFull ? [4_096, 65_536] : [2_048, 16_384];
export const LARGE_TEXT_SIZES: readonly number[] = isFull ? [4_096, 65_536, 1_048_576] : [16_384, 262_144];
export const HUGE_TEXT_SIZES: readonly number[] = [65_536, 1_048_576];

/**
 * Steps of a session, and of one whose window is full after some twenty of them, and cannot be emptied after some 400.
 */
export const STEP_SIZES: readonly number[] = isFull ? [100, 400, 1_600] : [100, 400];
export const PRESSED_STEP_SIZES: readonly number[] = [800, 3_200];

/** Entries of a configuration, of an object and of a file. */
export const ENTRY_SIZES: readonly number[] = isFull ? [1_000, 4_000, 16_000] : [1_000, 4_000];
export const FILE_ENTRY_SIZES: readonly number[] = isFull ? [250, 1_000, 4_000] : [250, 1_000];

/** Levels of a configuration. */
export const LEVEL_SIZES: readonly number[] = [1_000, 8_000];

/** Parts in one place: blocks of a message, files of a call. */
export const COUNT_SIZES: readonly number[] = isFull ? [200, 800, 3_200] : [200, 800];

/** Files that one call names: a line of some 60,000 characters. */
export const NAMED_FILE_SIZES: readonly number[] = [1_000, 8_000];

/** Targets of one call of the agent, each another result. */
export const TARGET_SIZES: readonly number[] = [1_000, 8_000];
