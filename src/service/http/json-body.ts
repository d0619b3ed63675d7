import type { IncomingMessage } from "node:http";
import { MAX_JSON_BODY_BYTES } from "../../api/operation.ts";
import { type Invalid, invalidInput, Refusal, TooLarge } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";
import { sizeText, tooLarge } from "../kernel/sizes.ts";
import { HttpError } from "./http-error.ts";
import { type BodyStorage, MOST_IN_MEMORY, ReceivedText } from "./received-text.ts";
import { isSystemError } from "./system-error.ts";

/** Reads a request's body as text, up to the limit of a JSON body. */
export async function readText(request: IncomingMessage, storage: BodyStorage): Promise<string> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > MAX_JSON_BODY_BYTES) throw tooLarge("the request body", announced, MAX_JSON_BODY_BYTES);
  storage.room.enter(announced > MOST_IN_MEMORY ? announced : 0);
  const text = new ReceivedText(storage);
  let size = 0;
  try {
    // The connection stays open, so that the sender gets to see a refusal.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_JSON_BODY_BYTES) {
        throw new TooLarge(`the request body is larger than the limit of ${sizeText(MAX_JSON_BODY_BYTES)}`);
      }
      await text.append(chunk);
    }
    return decodeUtf8(await text.bytes(), "body");
  } catch (error) {
    if (request.complete || error instanceof Refusal || isSystemError(error)) throw error;
    // A sender that hangs up is no failure of the service.
    throw endedTooEarly();
  } finally {
    await text.close();
  }
}

export function endedTooEarly(): Invalid {
  return invalidInput({ body: "The request body ended too early" });
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** @throws HttpError 415 when a body is said to be something else than JSON; one of which nothing is said is taken */
export function refuseOtherTypes({ headers: { "content-type": type = "" } }: IncomingMessage): void {
  if (type === "" || JSON_TYPE.test(type)) return;
  throw new HttpError(415, `Content-Type '${type}' is not supported: send the body as application/json`);
}

/** @throws HttpError 415 when a body is compressed */
export function refuseEncodedBody(incoming: IncomingMessage): void {
  const encoding = incoming.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new HttpError(415, `Content-Encoding '${encoding}' is not supported`);
  }
}
