/** A refusal that only HTTP knows: a method, a header or a body that no operation takes, or comes too often. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The limit that was met, if it was one: `key_rate`. */
  readonly limit: string | undefined;

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    limit?: string,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.limit = limit;
  }
}
