/** Whom edits that the agent asked for are ascribed to. */
export const AGENT = "agent";

/** Whom those that a person asked for are ascribed to. */
export const PERSON = "user";

/** Whom those are ascribed to that an edit or a newer result makes necessary. */
export const SCHEDULER = "schedule";
