/* What a host of your own needs besides a pruner: formats, models, reminders, and reports in words. */

export { mayRemindNow } from "../agent/may-remind.ts";
export {
  createReminder,
  type PrunableItem,
  type Reminder,
  type ReminderOptions,
  type Situation,
} from "../agent/reminder.ts";
export { detectFormat, formatByName } from "../formats/detect.ts";
export type { Codec, Format, MessageChanges, PlacedNote } from "../formats/format.ts";
export { stripNote } from "../formats/note.ts";
export { isHistoryOnServer } from "../formats/openai-responses/openai-responses.ts";
export type { CachePrices, ModelProfile, ReasoningRule, TokenizerName } from "../models/profile.ts";
export { profileFor } from "../models/profile-for.ts";
export { formatNotice, type NoticeOptions } from "../reports/notice.ts";
export { addStatistics, formatStatistics, makeStatistics, type Statistics } from "../reports/statistics.ts";
export { countByMechanism, type Tallies, type Tally } from "../reports/tally.ts";
export { describeRisk } from "../risk/describe-risk.ts";
export { ESTIMATOR_VERSION } from "../transcript/estimate.ts";
export type { DecodedMessage } from "../transcript/message.ts";
export { stripTags } from "../transcript/own-tags.ts";
