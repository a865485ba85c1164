// Generated from the passes: UPDATE=1 npx vitest run test/config/generated.test.ts

/** The switches that a preset sets, and that a configuration may also set one by one. */
export interface AggressiveFlags {
  readonly pruneToolInputs: boolean;
  readonly pruneStepMarkers: boolean;
  readonly pruneRereads: boolean;
  readonly pruneSourceUrls: boolean;
  readonly stateQuerySupersede: boolean;
  readonly pruneRetryParts: boolean;
  readonly pruneSnapshots: boolean;
  readonly aggressiveFilePrune: boolean | "views";
  readonly pruneFiles: boolean;
  readonly pruneUserCodeBlocks: boolean;
  readonly truncateOldErrors: boolean;
  readonly pruneLineNumbers: boolean | "padding";
}

/** The numbers that passes own, by their group in the configuration. */
export interface PassOptions {
  readonly schedule: {
    readonly ingestCap: number | null;
  };
  readonly strategies: {
    readonly pruneMinimum: number;
  };
  readonly "strategies.purgeErrors": {
    readonly turns: number;
  };
  readonly "strategies.spent": {
    readonly results: number;
    readonly views: number | null;
    readonly rested: number;
    readonly inputs: number;
  };
}
