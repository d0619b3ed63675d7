/** An answer other than success: what the caller is told, and with which status. */
export class HttpError extends Error {
  readonly status: number;
  /** What is wrong by field. */
  readonly errors: Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    { errors, headers = {} }: { errors?: Record<string, string>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** A request whose content is refused: 400 with what is wrong by field. */
export function invalidInput(errors: Record<string, string>, message = "Input payload validation failed") {
  return new HttpError(400, message, { errors });
}

/** Something that the request names does not exist: 404. */
export function notFound(message: string) {
  return new HttpError(404, message);
}
