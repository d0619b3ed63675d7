/** Why a request is not done. What speaks to the caller decides how each of these is said. */
export type RefusalKind =
  | "invalid"
  | "unprocessable"
  | "unproven"
  | "forbidden"
  | "not found"
  | "conflict"
  | "too large"
  | "busy"
  | "damaged";

/** A request that is not done, for a reason that its sender is told. Any other error is a failure of the service. */
export abstract class Refusal extends Error {
  abstract readonly kind: RefusalKind;
}

/** What the request says, or asks for, cannot be. */
export class Invalid extends Refusal {
  override readonly name = "Invalid";
  readonly kind = "invalid";
  /** What is wrong by field. */
  readonly errors: Readonly<Record<string, string>> | undefined;

  constructor(message: string, errors?: Readonly<Record<string, string>>) {
    super(message);
    this.errors = errors;
  }
}

/** A proven workflow that no trust policy fits. It counts as a failed login. */
export class Untrusted extends Invalid {}

/** What is wrong with one value of a request. */
export interface ErrorDetail {
  /** Where it is: `["query", "attestation_type"]`. */
  loc: readonly (string | number)[];
  msg: string;
  type: string;
}

/** The request is well formed, but one of its values does not go with what the service knows. */
export class Unprocessable extends Refusal {
  override readonly name = "Unprocessable";
  readonly kind = "unprocessable";
  /** What is wrong in the words of the framework that wrote the interface, where it gives them so. */
  readonly detail: readonly ErrorDetail[] | undefined;

  constructor(problem: string | ErrorDetail) {
    super(typeof problem === "string" ? problem : `${problem.loc.join(".")}: ${problem.msg}`);
    this.detail = typeof problem === "string" ? undefined : [problem];
  }
}

/** The caller did not prove to be who it says it is. */
export class Unproven extends Refusal {
  override readonly name = "Unproven";
  readonly kind = "unproven";
}

/** The caller may not do this. */
export class Forbidden extends Refusal {
  override readonly name = "Forbidden";
  readonly kind = "forbidden";

  constructor(message = "You don't have permission to access this resource") {
    super(message);
  }
}

/** Something that the request names does not exist. */
export class NotFound extends Refusal {
  override readonly name = "NotFound";
  readonly kind = "not found";
}

/** Something that the request would make exists already. */
export class Conflict extends Refusal {
  override readonly name = "Conflict";
  readonly kind = "conflict";
}

/** What was sent is larger than it may be. */
export class TooLarge extends Refusal {
  override readonly name = "TooLarge";
  readonly kind = "too large";
}

/** The service cannot do it now, but can a little later. */
export class Busy extends Refusal {
  override readonly name = "Busy";
  readonly kind = "busy";
  readonly retryAfterSeconds: number;
  /** The limit that was met, if it was one: `body_memory`. */
  readonly limit: string | undefined;

  constructor(message: string, retryAfterSeconds: number, limit?: string) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.limit = limit;
  }
}

/** What the service keeps is not any more what it was given, and is not handed out. */
export class Damaged extends Refusal {
  override readonly name = "Damaged";
  readonly kind = "damaged";
}

/** The most errors that an answer lists. */
export const MAX_LISTED_ERRORS = 100;
/** The most that are counted: looking for more would keep others waiting, and nobody mends so many by hand. */
export const MAX_COUNTED_ERRORS = 100_000;

/** What is wrong with a request, by field: the first errors, and how many there are in all. */
export interface FieldErrors {
  readonly errors: Readonly<Record<string, string>>;
  /** Above {@link MAX_COUNTED_ERRORS} it says only that there are more. */
  readonly count: number;
}

/** A request whose content is refused, with what is wrong by field: the first errors, and how many more there are. */
export function invalidInput(
  errors: Readonly<Record<string, string>>,
  message = "Input payload validation failed",
  count = Object.keys(errors).length,
): Invalid {
  const listed = Object.entries(errors).slice(0, MAX_LISTED_ERRORS);
  return new Invalid(message + unlisted(listed.length, count), Object.fromEntries(listed));
}

function unlisted(listed: number, count: number): string {
  if (count <= listed) return "";
  const more = Math.min(count, MAX_COUNTED_ERRORS) - listed;
  const atLeast = count > MAX_COUNTED_ERRORS ? "more than " : "";
  return `; ${atLeast}${more} more ${more === 1 ? "error is" : "errors are"} not listed`;
}
