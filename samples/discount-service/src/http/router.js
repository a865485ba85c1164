import { toProblem, ValidationError } from "../errors.js";

const MAX_BODY_BYTES = 64 * 1024;

/**
 * A small router over web-like requests, so that routes can be tested without a socket:
 *
 *   await router.handle({ method: "GET", path: "/orders/ORD-1000" })  ->  { status, body }
 */
export function createRouter({ logger }) {
  const routes = [];
  return { on, handle, listener };

  /** `pattern` has named segments: "/orders/:id". */
  function on(method, pattern, handler) {
    routes.push({ method, segments: split(pattern), pattern, handler });
  }

  async function handle({ method, path, body }) {
    const segments = split(path);
    const candidates = routes.filter((route) => matchSegments(route.segments, segments));
    const route = candidates.find((candidate) => candidate.method === method);
    if (!route) {
      const status = candidates.length > 0 ? 405 : 404;
      return { status, body: { code: status === 405 ? "method-not-allowed" : "not-found" } };
    }
    try {
      const answer = await route.handler({ params: matchSegments(route.segments, segments), body });
      return { status: answer.status ?? 200, body: answer.body };
    } catch (error) {
      const { status, ...problem } = toProblem(error);
      if (status >= 500) logger.error("request.failed", { route: route.pattern, error: error.stack });
      else
        logger.warn("request.refused", {
          route: route.pattern,
          code: problem.code,
          message: problem.message,
        });
      return { status, body: problem };
    }
  }

  /** For `http.createServer`. */
  function listener() {
    return async (request, response) => {
      let answer;
      try {
        const body = await readBody(request);
        const { pathname } = new URL(request.url, "http://localhost");
        answer = await handle({ method: request.method, path: pathname, body });
      } catch (error) {
        const { status, ...problem } = toProblem(error);
        answer = { status, body: problem };
      }
      response.writeHead(answer.status, { "content-type": "application/json; charset=utf-8" });
      response.end(`${JSON.stringify(answer.body)}\n`);
    };
  }
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new ValidationError(`the body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new ValidationError("the body is not valid JSON");
  }
}

function split(path) {
  return path.split("/").filter((segment) => segment !== "");
}

/** The values of the named segments, or undefined when the path does not match. */
function matchSegments(pattern, segments) {
  if (pattern.length !== segments.length) return undefined;
  const params = {};
  for (const [index, expected] of pattern.entries()) {
    if (expected.startsWith(":")) params[expected.slice(1)] = decodeURIComponent(segments[index]);
    else if (expected !== segments[index]) return undefined;
  }
  return params;
}
