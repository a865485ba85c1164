import type { ServerResponse } from "node:http";
import type { PartialConfig } from "../../../config/config.ts";
import { fromAddress } from "../../../page/session-address.ts";
import type { LivePrefixes } from "../live/live-prefixes.ts";
import { findTerms, recordLive } from "../live/live-recording.ts";
import type { LiveSessions } from "../live/live-sessions.ts";
import { replyError, replyJson } from "../reply.ts";
import type { OwnPage } from "../service.ts";
import { replyPage, replySentence } from "./reply-page.ts";
import { ReportThread } from "./report-thread.ts";

export interface SessionPagesOptions {
  readonly live: LiveSessions;
  readonly prefixes: LivePrefixes;
  readonly settings: PartialConfig;
  readonly pages: URL | undefined;
}

const FOLDER = "/coppice/sessions/";
/** The parts of a session that are available as JSON. */
const PARTS = ["requests", "prefix"] as const;

const GONE =
  "This session is no longer in memory, so its text can't be shown: the proxy keeps only the text of the newest sessions, and none after a restart.";
const BUSY = "Other sessions are being opened. Please try again in a moment.";

/** A session as its report page; its requests and its prefix as JSON for the dashboard. */
export function sessionPages({ live, prefixes, settings, pages }: SessionPagesOptions): OwnPage {
  const thread = new ReportThread();

  async function show(outgoing: ServerResponse, id: string | undefined): Promise<void> {
    const session = id === undefined ? undefined : live.open(id);
    if (!session) return replySentence(outgoing, 404, GONE);
    const prefix = prefixes.of(session.state.id);
    const html = await thread.render({
      ...(prefix && { prefix }),
      recording: recordLive(session),
      terms: findTerms(session.state, settings),
      pages: pages?.href,
    });
    return html === undefined ? replySentence(outgoing, 503, BUSY) : replyPage(outgoing, 200, html);
  }

  return {
    methods: ["GET"],
    path: FOLDER,
    handle(_, outgoing, path) {
      const rest = (path.split(/[?#]/, 1)[0] ?? "").slice(FOLDER.length);
      const part = PARTS.find((each) => rest.endsWith(`/${each}`));
      if (part === undefined) return show(outgoing, fromAddress(rest));
      const id = fromAddress(rest.slice(0, -part.length - 1));
      if (id === undefined || !live.find(id))
        return replyError(outgoing, 404, "this session is not in memory");
      // There is no prefix before the first answer.
      return replyJson(outgoing, 200, part === "prefix" ? (prefixes.of(id) ?? null) : live.requestsOf(id));
    },
  };
}
