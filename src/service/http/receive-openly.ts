import type { IncomingMessage } from "node:http";
import type { OperationShape } from "../../api/operation.ts";
import { Invalid, invalidInput, TooLarge } from "../kernel/errors.ts";
import { decodeUtf8, parseJson } from "../kernel/json-text.ts";
import type { RequestSource } from "../kernel/request-context.ts";
import { unstorableTexts } from "../kernel/storable-text.ts";
import { validate } from "../kernel/validate.ts";
import type { OpenCall } from "../operation/handler.ts";
import { refuseEncodedBody, refuseOtherTypes } from "./json-body.ts";
import { readQuery } from "./query.ts";
import type { RequestTarget } from "./request-head.ts";

/** A request whose sender nobody asked who it is. */
export interface OpenRequest {
  readonly incoming: IncomingMessage;
  readonly source: RequestSource;
  readonly target: RequestTarget;
}

/** Somebody who did not say who it is gets no room for more. */
const MOST_BYTES = 64 * 1024;

/**
 * Reads what a request says whose sender is not known: a query, or a small body. A body may be a form.
 *
 * @throws Invalid, TooLarge, or HttpError 415
 */
export async function receiveOpenly<O extends OperationShape>(
  operation: O,
  { incoming, source, target }: OpenRequest,
): Promise<OpenCall<O>> {
  const { query, body }: OperationShape = operation;
  const asked = query && readQuery(query, new URLSearchParams(target.query));
  const params = query === undefined ? {} : checked(query, asked, "query.");
  const sent = body === undefined ? undefined : checked(body.schema, await readBody(incoming));
  // The operation's schemas have just shown these values to have the types it declares.
  return { source, params, body: sent } as unknown as OpenCall<O>;
}

function checked(schema: Parameters<typeof validate>[0], input: unknown, prefix?: string): unknown {
  const unstorable = unstorableTexts(input);
  if (unstorable.count > 0) throw invalidInput(unstorable.errors);
  const result = validate(schema, input, prefix === undefined ? { root: "body" } : { prefix });
  if ("errors" in result) throw invalidInput(result.errors, undefined, result.count);
  return result.value;
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  refuseEncodedBody(incoming);
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open, so that the sender gets to see a refusal.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new TooLarge(`the request body is larger than the limit of ${MOST_BYTES / 1024} KB`);
    chunks.push(chunk);
  }
  const text = decodeUtf8(Buffer.concat(chunks), "body");
  if (isForm(incoming)) return fieldsOf(new URLSearchParams(text));
  refuseOtherTypes(incoming);
  return parseJson(text, "body");
}

function isForm({ headers: { "content-type": type = "" } }: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
}

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A form in the way of RFC 8693. Its audience is the organization, or the audience that a token must name. */
function fieldsOf(form: URLSearchParams): Record<string, string> {
  const grant = form.get("grant_type");
  if (grant !== EXCHANGE) throw new Invalid(`The grant_type must be ${EXCHANGE}, not '${grant ?? ""}'`);
  const named = { token: form.get("subject_token"), org: form.get("audience"), policy: form.get("policy") };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
