import { VERSION } from "../../basics/version.ts";
import { replyJson } from "./reply.ts";
import type { Service } from "./service.ts";

/** `/healthz`, for load balancers, and for programs that wait for the proxy to start. */
export function health(): Service {
  return {
    pages: [
      {
        methods: ["GET", "HEAD"],
        path: "/healthz",
        isOpen: true,
        handle: (_, outgoing) => replyJson(outgoing, 200, { name: "coppice", version: VERSION, ok: true }),
      },
    ],
  };
}
