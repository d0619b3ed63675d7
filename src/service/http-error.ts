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

/** A request whose content is refused: 400 with what is wrong by field. */
export function invalidInput(errors: Record<string, string>, message = "Input payload validation failed") {
  return new HttpError(400, message, { errors });
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
