import type { ErrorCode } from "../error-codes.ts";
import { counted } from "./counted.ts";

/**
 * All errors that a user can see. `message` describes the problem, `advice` the remedy, and `details` lists several
 * problems line by line.
 */
export type EvidenceError = InputError | ApiError | NetworkError | TimeoutError | ProtocolError;

interface Explanation {
  /** The problem in one sentence without a period. */
  what: string;
  /** The remedy in one sentence. Empty if `what` implies it. */
  advice?: string;
  details?: readonly string[];
  cause?: unknown;
  place?: FilePlace | undefined;
}

/** A position in a user's file. */
export interface FilePlace {
  /** Relative to the workspace. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
}

abstract class ExplainedError extends Error {
  /** Kind of the error. */
  abstract readonly kind: "input" | "api" | "network" | "timeout" | "protocol";
  /** Error code, which `docs/troubleshooting.md` explains. Undefined if the service sent none. */
  abstract readonly code: ErrorCode | undefined;
  /** The remedy in one sentence; may be empty. */
  readonly advice: string;
  /** Several problems, one a line. Empty if there is only one. */
  readonly details: readonly string[];
  /** Position of the problem, if it is in a file. */
  readonly place: FilePlace | undefined;

  constructor({ what, advice = "", details = [], cause, place }: Explanation) {
    super(what, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.advice = advice;
    this.details = details;
    this.place = place;
  }
}

/** One problem of an input. */
export interface InputProblem {
  /** Name of the invalid input, option or field. */
  input: string;
  /** The problem and the expected value, such as `must be true or false, not 'no'`. */
  problem: string;
  /** Set if the input is missing rather than invalid. */
  missing?: true;
  /** Error code; `input.missing` or `input.invalid` by default. */
  code?: ErrorCode;
  /** Position of the input, if it is in a file. */
  place?: FilePlace;
}

/** Invalid input. Thrown before any request, with all problems. */
export class InputError extends ExplainedError {
  readonly kind = "input";
  readonly code: ErrorCode;
  /** All problems. */
  readonly problems: readonly InputProblem[];

  /** @param options `noun` names the values in messages: `option` on a command line */
  constructor(
    problems: readonly InputProblem[],
    { noun = "input", ...options }: { advice?: string; cause?: unknown; noun?: string } = {},
  ) {
    const lines = problems.map(({ input, problem }) => `${input}: ${problem}`);
    const [only] = lines;
    super({
      what: lines.length === 1 && only !== undefined ? only : headingOf(problems, noun),
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
function headingOf(problems: readonly InputProblem[], noun: string): string {
  const missing = problems.filter((problem) => problem.missing).length;
  const unusable = problems.length - missing;
  const nouns = `${noun}s`;
  if (missing === 0) return `${counted(unusable, nouns)} cannot be used`;
  const text = `${counted(missing, nouns)} ${missing === 1 ? "is" : "are"} missing`;
  return unusable === 0 ? text : `${text}, and ${unusable} cannot be used`;
}

/** The service rejected the request or failed. */
export class ApiError extends ExplainedError {
  readonly kind = "api";
  readonly code: ErrorCode | undefined;
  /** HTTP status: 400 or higher. */
  readonly status: number;
  /** Complete message of the service. */
  readonly serviceMessage: string;
  /** Validation errors of the service by wire name of the field, sorted. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  /** ID of the request in the service's log. */
  readonly requestId: string;
  /** Number of attempts, from 1. */
  readonly attempts: number;
  /** Whether the response is a 404 of another server. `baseUrl` may be wrong. */
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

  /** Returns this error with advice, details or a position that only the caller knows. */
  explained(more: Pick<Explanation, "advice" | "details" | "place">): ApiError {
    return new ApiError({ ...this, what: this.message, cause: this, ...more });
  }

  /** Whether the service did not find a record that the request names. */
  get missing(): boolean {
    return this.status === 404 && !this.isForeign && this.code !== "request.path_not_found";
  }

  /** Whether the service is temporarily unavailable. Any other status would be the same again. */
  get unavailable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** No response: the connection failed or broke. */
export class NetworkError extends ExplainedError {
  readonly kind = "network";
  readonly code: ErrorCode;
  /** Code of the system or TLS library, such as `ECONNREFUSED`. */
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
  [/^CLOUD$/, "cloud.unavailable"],
  [/^GITHUB$/, "github.unavailable"],
  [/^KUBECTL$/, "cluster.unavailable"],
  [/^REGISTRY$/, "registry.unavailable"],
  [/^REMOTE$/, "tracker.unavailable"],
];

/** The timeout for the service expired. */
export class TimeoutError extends ExplainedError {
  readonly kind = "timeout";
  readonly code = "network.timeout";
}

/** The response is not one of the API: a web page, a redirect, or truncated or unexpected JSON. */
export class ProtocolError extends ExplainedError {
  readonly kind = "protocol";
  readonly code = "response.unusable";
}

/** Returns the code of an error; for services without codes, by its status. */
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

/** Whether an error is one of {@link EvidenceError}. */
export function isEvidenceError(error: unknown): error is EvidenceError {
  return error instanceof ExplainedError;
}

/**
 * Whether the service was unreachable or temporarily unavailable, so that the same request may succeed later. A
 * rejected request would be rejected again.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && error.unavailable)
  );
}
