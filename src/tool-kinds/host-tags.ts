/** The tag in which hosts put instructions and reminders of their own. */
export const REMINDER_OPEN = "<system-reminder>";
export const REMINDER_CLOSE = "</system-reminder>";

/** The same tag, however a text writes it. */
export const REMINDER_TAG: RegExp = /<[\s/]{0,9}system[-_ ]?reminder/i;
