/** What is wrong with one value of a request. */
export interface ErrorDetail {
  /** Where it is: `["query", "attestation_type"]`. */
  loc: readonly (string | number)[];
  msg: string;
  type: string;
}

/** An answer other than success: what the caller is told, and with which status. */
export class HttpError extends Error {
  readonly status: number;
  /** What is wrong by field. */
  readonly errors: Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The same in the words of the framework that wrote the interface, where it gives them so. */
  readonly detail: readonly ErrorDetail[] | undefined;

  constructor(
    status: number,
    message: string,
    {
      errors,
      headers = {},
      detail,
    }: {
      errors?: Record<string, string>;
      headers?: Record<string, string>;
      detail?: readonly ErrorDetail[];
    } = {},
  ) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.errors = errors;
    this.headers = headers;
    this.detail = detail;
  }
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

/** A request whose content is refused: 400 with what is wrong by field. */
export function invalidInput(
  errors: Readonly<Record<string, string>>,
  message = "Input payload validation failed",
  count = Object.keys(errors).length,
) {
  const listed = Object.entries(errors).slice(0, MAX_LISTED_ERRORS);
  return new HttpError(400, message + unlisted(listed.length, count), { errors: Object.fromEntries(listed) });
}

function unlisted(listed: number, count: number): string {
  if (count <= listed) return "";
  const more = Math.min(count, MAX_COUNTED_ERRORS) - listed;
  const atLeast = count > MAX_COUNTED_ERRORS ? "more than " : "";
  return `; ${atLeast}${more} more ${more === 1 ? "error is" : "errors are"} not listed`;
}

/** One value of a request is refused: 422, in the words of the framework that wrote the interface. */
export function unprocessable(detail: ErrorDetail) {
  return new HttpError(422, `${detail.loc.join(".")}: ${detail.msg}`, { detail: [detail] });
}

/** The caller's role does not reach as far as the request: 403. */
export function forbidden() {
  return new HttpError(403, "You don't have permission to access this resource");
}

/** Something that the request names does not exist: 404. */
export function notFound(message: string) {
  return new HttpError(404, message);
}
