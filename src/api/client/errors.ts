import type { ErrorCode } from "../error-codes.ts";

/**
 * The closed family of errors a user can see. Each says what happened (`message`), what to do (`advice`)
 * and, where there is more than one thing to say, gives it line by line (`details`).
 */
export type EvidenceError = InputError | ApiError | NetworkError | TimeoutError | ProtocolError;

interface Explanation {
  /** One sentence without a full stop. */
  what: string;
  /** What the user can do about it, in one sentence. Empty when `what` says it all. */
  advice?: string;
  details?: readonly string[];
  cause?: unknown;
  place?: FilePlace | undefined;
}

/** A place in a file of the user's. */
export interface FilePlace {
  /** Relative to the workspace. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
}

abstract class ExplainedError extends Error {
  abstract readonly kind: "input" | "api" | "network" | "timeout" | "protocol";
  /** What went wrong, as a heading of `docs/troubleshooting.md`. Undefined if another service gave no code. */
  abstract readonly code: ErrorCode | undefined;
  readonly advice: string;
  readonly details: readonly string[];
  /** Where what is to be mended stands, when it is in a file. */
  readonly place: FilePlace | undefined;

  constructor({ what, advice = "", details = [], cause, place }: Explanation) {
    super(what, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.advice = advice;
    this.details = details;
    this.place = place;
  }
}

export interface InputProblem {
  /** The input, option or field at fault, by the name its user knows. */
  input: string;
  /** What is wrong with it and what was expected: `must be true or false, not 'no'`. */
  problem: string;
  /** Nothing was given, which is another mistake than to give what cannot be used. */
  missing?: true;
  /** Without one it is `input.missing` or `input.invalid`. */
  code?: ErrorCode;
  /** Where it stands, when it is in a file. */
  place?: FilePlace;
}

/** What the caller gave cannot be used. Raised before any request, with every problem at once. */
export class InputError extends ExplainedError {
  readonly kind = "input";
  readonly code: ErrorCode;
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[], options: { advice?: string; cause?: unknown } = {}) {
    const lines = problems.map(({ input, problem }) => `${input}: ${problem}`);
    const [only] = lines;
    super({
      what: lines.length === 1 && only !== undefined ? only : headingOf(problems),
      details: lines.length === 1 ? [] : lines,
      place: problems.find(({ place }) => place)?.place,
      ...options,
    });
    this.problems = problems;
    const [first] = problems;
    this.code = first?.code ?? (first?.missing ? "input.missing" : "input.invalid");
  }
}

/** `1 input is missing, and 2 cannot be used` */
function headingOf(problems: readonly InputProblem[]): string {
  const missing = problems.filter((problem) => problem.missing).length;
  const unusable = problems.length - missing;
  const inputs = (count: number) => `${count} input${count === 1 ? "" : "s"}`;
  if (missing === 0) return `${inputs(unusable)} cannot be used`;
  const text = `${inputs(missing)} ${missing === 1 ? "is" : "are"} missing`;
  return unusable === 0 ? text : `${text}, and ${unusable} cannot be used`;
}

export class ApiError extends ExplainedError {
  readonly kind = "api";
  readonly code: ErrorCode | undefined;
  readonly status: number;
  /** The service's own words, all of them. */
  readonly serviceMessage: string;
  /** Validation errors by field, as the service gave them, in order of the field names. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly attempts: number;
  /** A 404 that the service would not give: base-url may be wrong. */
  readonly isForeign: boolean;

  constructor(
    explanation: Explanation &
      Pick<ApiError, "status" | "fieldErrors" | "requestId" | "attempts"> &
      Partial<Pick<ApiError, "code" | "isForeign" | "serviceMessage">>,
  ) {
    super(explanation);
    this.status = explanation.status;
    this.code = explanation.code;
    this.serviceMessage = explanation.serviceMessage ?? explanation.what;
    this.fieldErrors = explanation.fieldErrors;
    this.requestId = explanation.requestId;
    this.attempts = explanation.attempts;
    this.isForeign = explanation.isForeign ?? false;
  }

  /** This error with what only the caller knows: what to advise, how the fields are called, where they stand. */
  explained(more: Pick<Explanation, "advice" | "details" | "place">): ApiError {
    return new ApiError({ ...this, what: this.message, cause: this, ...more });
  }

  /** Something that the request names does not exist. */
  get missing(): boolean {
    return this.status === 404 && !this.isForeign;
  }

  /** The service could not serve just now. Any other status is a refusal and would be one again. */
  get unavailable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer came: the connection could not be made, or broke. */
export class NetworkError extends ExplainedError {
  readonly kind = "network";
  readonly code: ErrorCode;
  /** The system's or TLS library's name of the fault, such as `ECONNREFUSED`. */
  readonly fault: string;

  constructor(explanation: Explanation & { fault: string }) {
    super(explanation);
    this.fault = explanation.fault;
    this.code = FAULTS.find(([names]) => names.test(this.fault))?.[1] ?? "network.connection_broken";
  }
}

const FAULTS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/, "network.unreachable"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "network.host_unknown"],
  [/^(PROXY|UND_ERR_PRX_)/, "network.proxy_refused"],
  [/^(CERT_|CRL_|DEPTH_|EPROTO|ERR_(SSL|TLS|OSSL)_|HOSTNAME_|SELF_|UNABLE_TO_)/, "network.tls_failed"],
  [/^GITHUB$/, "github.unavailable"],
  [/^KUBECTL$/, "cluster.unavailable"],
  [/^REGISTRY$/, "registry.unavailable"],
  [/^REMOTE$/, "tracker.unavailable"],
];

/** The deadline for all work with the service passed. */
export class TimeoutError extends ExplainedError {
  readonly kind = "timeout";
  readonly code = "network.timeout";
}

/** An answer came that this interface does not allow: a web page, a redirect, truncated or unexpected JSON. */
export class ProtocolError extends ExplainedError {
  readonly kind = "protocol";
  readonly code = "response.unusable";
}

/** The code of an error; by its status for an answer of a service that gives no codes. */
export function codeOf(error: EvidenceError): ErrorCode {
  if (error.code !== undefined) return error.code;
  if (Object.keys(error.fieldErrors).length > 0) return "request.field_invalid";
  if (error.isForeign) return "request.path_not_found";
  return STATUSES[error.status] ?? (error.status >= 500 ? "service.failed" : "request.refused");
}

const STATUSES: Readonly<Record<number, ErrorCode>> = {
  401: "auth.key_unknown",
  403: "access.denied",
  404: "resource.not_found",
  413: "request.too_large",
  429: "limit.requests",
};

export function isEvidenceError(error: unknown): error is EvidenceError {
  return error instanceof ExplainedError;
}

/**
 * True when the service could not be reached or could not serve, so that the same request may succeed later.
 * A refusal is never "unavailable": it would be refused again.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && error.unavailable)
  );
}
