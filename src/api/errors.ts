/**
 * The closed family of errors a user can see. Each says what happened (`message`), what to do (`advice`)
 * and, where there is more than one thing to say, gives it line by line (`details`).
 */
export type EvidenceError = InputError | ApiError | NetworkError | TimeoutError | ProtocolError;

interface Explanation {
  /** What happened, in one sentence without a full stop. */
  what: string;
  /** What the user can do about it, in one sentence. Empty when `what` says it all. */
  advice?: string;
  details?: readonly string[];
  cause?: unknown;
}

abstract class ExplainedError extends Error {
  abstract readonly kind: "input" | "api" | "network" | "timeout" | "protocol";
  readonly advice: string;
  readonly details: readonly string[];

  constructor({ what, advice = "", details = [], cause }: Explanation) {
    super(what, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.advice = advice;
    this.details = details;
  }
}

/** One thing that is wrong with what the caller gave. */
export interface InputProblem {
  /** The input, option or field at fault, by the name its user knows. */
  input: string;
  /** What is wrong with it and what was expected: `must be true or false, not 'no'`. */
  problem: string;
}

/** What the caller gave cannot be used. Raised before any request, with every problem at once. */
export class InputError extends ExplainedError {
  readonly kind = "input";
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[], options: { advice?: string; cause?: unknown } = {}) {
    const lines = problems.map(({ input, problem }) => `${input}: ${problem}`);
    const [only] = lines;
    super({
      what: lines.length === 1 && only !== undefined ? only : `${lines.length} inputs cannot be used`,
      details: lines.length === 1 ? [] : lines,
      ...options,
    });
    this.problems = problems;
  }
}

/** The service answered with an error status. */
export class ApiError extends ExplainedError {
  readonly kind = "api";
  readonly status: number;
  /** Validation errors by field, as the service gave them, in order of the field names. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly attempts: number;

  constructor(
    explanation: Explanation & {
      status: number;
      fieldErrors: Readonly<Record<string, string>>;
      requestId: string;
      attempts: number;
    },
  ) {
    super(explanation);
    this.status = explanation.status;
    this.fieldErrors = explanation.fieldErrors;
    this.requestId = explanation.requestId;
    this.attempts = explanation.attempts;
  }

  /** The same, with what only the caller knows to advise. */
  advising(advice: string): ApiError {
    const { message: what, details, status, fieldErrors, requestId, attempts } = this;
    return new ApiError({ what, advice, details, status, fieldErrors, requestId, attempts, cause: this });
  }

  /** The service could not serve just now. Any other status is a refusal and would be one again. */
  get unavailable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer came: the connection could not be made, or broke. */
export class NetworkError extends ExplainedError {
  readonly kind = "network";
  /** The system's or TLS library's name of the fault, such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(explanation: Explanation & { code: string }) {
    super(explanation);
    this.code = explanation.code;
  }
}

/** The deadline for all work with the service passed. */
export class TimeoutError extends ExplainedError {
  readonly kind = "timeout";
}

/** An answer came that this interface does not allow: a web page, a redirect, truncated or unexpected JSON. */
export class ProtocolError extends ExplainedError {
  readonly kind = "protocol";
}

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
