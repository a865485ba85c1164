/** The tag around the instructions and reminders of hosts. */
export const REMINDER_OPEN = "<system-reminder>";
export const REMINDER_CLOSE = "</system-reminder>";

/** The tag in which Cline and Roo Code say what is open in the editor. */
export const STATE_OPEN = "<environment_details>";
export const STATE_CLOSE = "</environment_details>";

/** A reminder's tag, however a text writes it. */
export const REMINDER_TAG: RegExp = /<[\s/]{0,9}system[-_ ]?reminder/i;
