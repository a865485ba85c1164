/** The tag around the instructions and reminders of hosts. */
export const REMINDER_OPEN = "<system-reminder>";
export const REMINDER_CLOSE = "</system-reminder>";

/** The same tag in any spelling. */
export const REMINDER_TAG: RegExp = /<[\s/]{0,9}system[-_ ]?reminder/i;
