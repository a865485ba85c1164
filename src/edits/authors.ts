/** The author of edits that the agent requested. */
export const AGENT = "agent";

/** The author of edits that a person requested. */
export const PERSON = "user";

/** The author of edits that another edit or a newer result makes necessary. */
export const SCHEDULER = "schedule";
