/**
 * Errors that are an answer to the caller rather than a fault of the service. Each has a stable
 * `code` for machines, a message for people, and the HTTP status that the router answers with.
 */
export class ServiceError extends Error {
  constructor(code, message, details = {}) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }

  get status() {
    return 500;
  }
}

/** The caller sent something that can't be understood. */
export class ValidationError extends ServiceError {
  constructor(message, details) {
    super("validation", message, details);
  }

  get status() {
    return 422;
  }
}

/** The caller asked for something that does not exist. */
export class NotFoundError extends ServiceError {
  constructor(what, id) {
    super("not-found", `${what} ${id} does not exist`, { what, id });
  }

  get status() {
    return 404;
  }
}

/** Understood, but not possible in the current state: a used-up coupon, a second refund. */
export class ConflictError extends ServiceError {
  get status() {
    return 409;
  }
}

/** The body of an error answer. Faults of the service never show their message. */
export function toProblem(error) {
  if (error instanceof ServiceError) {
    return { status: error.status, code: error.code, message: error.message, details: error.details };
  }
  return { status: 500, code: "internal", message: "internal error", details: {} };
}
