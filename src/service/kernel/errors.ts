import type { ErrorCode } from "../../api/error-codes.ts";

/** A request that is refused for a reason that its caller sees. Any other error is a failure of the service. */
export abstract class Refusal extends Error {
  abstract readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** The message on pages. The interface prescribes some messages in words that only its clients know. */
  readonly onPages: string;

  constructor(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    onPages = message,
  ) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.headers = headers;
    this.onPages = onPages;
  }

  /** The limit that the request exceeded, as named in logs and metrics: `key_rate`. */
  get limit(): string | undefined {
    return /^limit\.(.+)/.exec(this.code)?.[1];
  }
}

export function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof Refusal && error.code === code;
}

export class Invalid extends Refusal {
  readonly status = 400;
  readonly errors: Readonly<Record<string, string>> | undefined;

  constructor(code: ErrorCode, message: string, errors?: Readonly<Record<string, string>>) {
    super(code, message);
    this.errors = errors;
  }
}

export interface ErrorDetail {
  /** Location of the problem: `["query", "attestation_type"]`. */
  loc: readonly (string | number)[];
  msg: string;
  type: string;
}

/** The request is well formed, but one of its values contradicts the records. */
export class Unprocessable extends Refusal {
  readonly status = 422;
  /** The problem in the format of the interface's original framework, for errors that use it. */
  readonly detail: readonly ErrorDetail[] | undefined;

  constructor(code: ErrorCode, problem: string | ErrorDetail) {
    super(code, typeof problem === "string" ? problem : `${problem.loc.join(".")}: ${problem.msg}`);
    this.detail = typeof problem === "string" ? undefined : [problem];
  }
}

export class Unproven extends Refusal {
  readonly status = 401;
}

export class Forbidden extends Refusal {
  readonly status = 403;

  constructor(
    code: ErrorCode = "access.denied",
    message = "You don't have permission to access this resource",
  ) {
    super(code, message);
  }
}

export class NotFound extends Refusal {
  readonly status = 404;
}

const NAMED = { flow: "Flow named", environment: "Environment named" } as const;

export function absent(
  kind: keyof typeof NAMED,
  why: "not_found" | "archived",
  name: string,
  org: string,
): NotFound {
  const problem =
    why === "archived" ? "has been archived for organization" : "does not exist for organization";
  return new NotFound(`${kind}.${why}`, `${NAMED[kind]} '${name}' ${problem} '${org}'`);
}

export class Conflict extends Refusal {
  readonly status = 409;
}

export class TooLarge extends Refusal {
  readonly status = 413;
}

export class Busy extends Refusal {
  readonly status = 503;

  constructor(code: ErrorCode, message: string, retryAfterSeconds: number) {
    super(code, message, { "retry-after": String(retryAfterSeconds) });
  }
}

export class Damaged extends Refusal {
  readonly status = 500;
}

/** Maximum number of errors in a response. */
export const MAX_LISTED_ERRORS = 100;
/** Maximum number of errors that are counted, because counting blocks other requests. */
export const MAX_COUNTED_ERRORS = 100_000;

export interface FieldErrors {
  readonly errors: Readonly<Record<string, string>>;
  /** Above {@link MAX_COUNTED_ERRORS}, it means only that there are more. */
  readonly count: number;
}

interface Wording {
  code?: ErrorCode;
  message?: string | undefined;
  count?: number;
}

export function invalidInput(
  errors: Readonly<Record<string, string>>,
  { code = "request.field_invalid", message = "Input payload validation failed", count }: Wording = {},
): Invalid {
  const all = Object.entries(errors);
  const listed = all.slice(0, MAX_LISTED_ERRORS);
  return new Invalid(
    code,
    message + unlisted(listed.length, count ?? all.length),
    Object.fromEntries(listed),
  );
}

function unlisted(listed: number, count: number): string {
  if (count <= listed) return "";
  const more = Math.min(count, MAX_COUNTED_ERRORS) - listed;
  const atLeast = count > MAX_COUNTED_ERRORS ? "more than " : "";
  return `; ${atLeast}${more} more ${more === 1 ? "error is" : "errors are"} not listed`;
}

export function aboutToStop(): Busy {
  return new Busy("service.busy", "The service is about to stop: try again", 5);
}
