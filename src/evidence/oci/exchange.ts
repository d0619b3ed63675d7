import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import { ProtocolError } from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { unlessEnded } from "../../net/deadline.ts";

const MB = 1024 * 1024;
/** The most that is read of an answer, in bytes, unless more is asked for: what registries allow a manifest. */
const MAX_ANSWER_BYTES = 4 * MB;

export interface Asked {
  readonly method: "HEAD" | "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
  /** The most to read of the answer. */
  readonly maxAnswerBytes?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
}

/**
 * Sends one request and reads its whole answer, whatever its status.
 *
 * @throws {ProtocolError} for an answer that is too large
 * @throws the signal's reason when it aborts; else the fault of the connection as undici gives it
 */
export async function exchange(
  dispatcher: Dispatcher,
  { method, url, headers, form, maxAnswerBytes = MAX_ANSWER_BYTES }: Asked,
  signal: AbortSignal,
): Promise<Answered> {
  const body = form && Buffer.from(form.toString());
  const answer = request.call(dispatcher, {
    method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: {
      "user-agent": "delivery-evidence",
      ...headers,
      ...(body && {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(body.byteLength),
      }),
    },
    ...(body && { body: once(body) }),
    signal,
  });
  const { statusCode: status, headers: answered, body: content } = await unlessEnded(answer, signal);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) {
      content.destroy();
      const what = failed(`the answer is larger than ${maxAnswerBytes / MB} MB`, { host: url.host, status });
      throw new ProtocolError({ what });
    }
    chunks.push(chunk);
  }
  return { status, headers: answered, bytes: Buffer.concat(chunks) };
}

/** The one value of a header; undefined when it is absent or repeated. */
export function headerOf({ headers }: Answered, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : undefined;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
