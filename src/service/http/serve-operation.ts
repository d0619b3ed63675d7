import type { IncomingMessage } from "node:http";
import { fileAnswer, type OperationShape, type ServedFile } from "../../api/operation.ts";
import { type MemberOperationName, type OpenOperationName, operations } from "../../api/operations.ts";
import type { Schema } from "../../api/wire-names.ts";
import { toWire } from "../../api/wire-names.ts";
import { findHolder } from "../accounts/holder.ts";
import { requireRight } from "../kernel/access.ts";
import type { Caller } from "../kernel/caller.ts";
import { Forbidden, NotFound, Unproven, Untrusted } from "../kernel/errors.ts";
import type { RequestSource } from "../kernel/request-context.ts";
import { namedBy } from "../kernel/scope.ts";
import { isStorable } from "../kernel/storable-text.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Handler, OpenHandler } from "../operation/handler.ts";
import { requireRightTo } from "../operation/require-right.ts";
import type { KeyUse } from "../people/accounts/key-use.ts";
import { authenticate } from "./authentication.ts";
import type { BodyMemory, BodyRoom } from "./body-memory.ts";
import type { Answer } from "./error-answer.ts";
import type { RateLimits } from "./rate-limits.ts";
import { type Admitted, receive } from "./receive.ts";
import { type OpenRequest, receiveOpenly } from "./receive-openly.ts";
import { refuseRepeatedHeaders } from "./repeated-headers.ts";
import type { RequestTarget } from "./request-head.ts";
import { type StreamedLists, streamedJson } from "./streamed-json.ts";

/** Who serves which operation. */
export type Handlers = {
  readonly [Name in MemberOperationName]: Handler<(typeof operations)[Name]>;
};
export type OpenHandlers = {
  readonly [Name in OpenOperationName]: OpenHandler<(typeof operations)[Name]>;
};

/** What decides whether a request is read at all. */
interface Admission {
  readonly rateLimits: RateLimits;
  readonly bodyMemory: BodyMemory;
  readonly keyUse: KeyUse;
}

/** What is needed to serve operations. */
export interface Served {
  readonly handlers: Handlers;
  readonly openHandlers: OpenHandlers;
  readonly context: ServiceContext;
  readonly admission: Admission;
  /** Has a request answered that would keep this thread from others for long. Undefined for any other request. */
  readonly answerElsewhere?: (
    name: MemberOperationName,
    request: RoutedRequest,
    room: BodyRoom,
  ) => Promise<Answer> | undefined;
}

/** A request that was routed to an operation. */
export interface RoutedRequest {
  readonly incoming: IncomingMessage;
  readonly source: RequestSource;
  readonly target: RequestTarget;
  /** The decoded parameters of the path. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** Takes who sent it, as soon as that is known. */
  readonly identified: (caller: Caller) => void;
}

/**
 * Serves one operation. The checks come in a fixed order, so that nobody learns about records without the right
 * to see them: credentials, organization, membership, role, then what the request says, then the records.
 */
export async function serveOperation<N extends MemberOperationName>(
  name: N,
  request: RoutedRequest,
  served: Served,
): Promise<Answer> {
  const { context, admission } = served;
  const operation = operations[name];
  const handler: Handler<(typeof operations)[N]> = served.handlers[name];
  const admitted = await admit(name, request, served);
  const reception = context.attachments.receive();
  const room = admission.bodyMemory.roomFor(admitted.org.id, admitted.caller.keyId);
  try {
    const elsewhere = served.answerElsewhere?.(name, request, room);
    if (elsewhere !== undefined) return await elsewhere;
    const call = await receive(operation, admitted, {
      room,
      inTurn: (work) => context.longWork.do(admitted.org.id, work),
      newPath: reception.newPath,
    });
    await requireRightTo(context.store.read, call, operation, namedBy(call.params, call.body));
    const reply = await handler(call, context);
    return answer(operation.responses, reply);
  } finally {
    await reception.discard().finally(room.release);
  }
}

async function admit(
  name: MemberOperationName,
  request: RoutedRequest,
  { context: { store, now }, admission: { keyUse, rateLimits } }: Served,
): Promise<Admitted> {
  refuseRepeatedHeaders(request.incoming);
  const { org: orgName, ...pathParams } = request.pathParams;
  // No organization has the empty name.
  const asked = orgName === undefined || isStorable(orgName) ? orgName : "";
  const { caller, org } = await rateLimits.admit(request.incoming, () =>
    authenticate(request.incoming.headers.authorization, (key) =>
      findHolder(store.read, key, { now: now(), orgName: asked }),
    ),
  );
  request.identified(caller);
  keyUse.note(caller.keyId, now());
  const operation: OperationShape = operations[name];
  if (!org && !operation.deniesUnknownOrg) throw new NotFound(`Organization '${orgName}' does not exist`);
  if (!org || caller.orgId !== org.id) throw new Forbidden(`Access denied to ${request.target.path}`);
  const { flow_name: flowName, env_name: envName, key_id: keyId } = pathParams;
  requireRight(caller, operation, namedBy({ flowName, envName, keyId }));
  return { ...request, org, caller, pathParams };
}

/** Serves an operation that nobody is asked for who it is. What it refuses counts as a login that failed. */
export async function serveOpenly<N extends OpenOperationName>(
  name: N,
  request: OpenRequest,
  { openHandlers, context, admission: { rateLimits } }: Served,
): Promise<Answer> {
  refuseRepeatedHeaders(request.incoming);
  rateLimits.visit(request.incoming);
  const operation = operations[name];
  const handler: OpenHandler<(typeof operations)[N]> = openHandlers[name];
  try {
    return answer(operation.responses, await handler(await receiveOpenly(operation, request), context));
  } catch (error) {
    if (error instanceof Unproven || error instanceof Untrusted) rateLimits.refuse(request.incoming);
    throw error;
  }
}

interface AnyReply {
  readonly status: 200 | 201;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly streamed?: StreamedLists;
}

function answer(
  responses: { readonly [Status in 200 | 201]?: Schema },
  { status, headers = {}, body, streamed }: AnyReply,
): Answer {
  const schema = responses[status];
  // The marker's type is that of a file.
  if (schema === fileAnswer) return { status, ...servedFile(body as ServedFile) };
  const wire = (value: unknown) => (schema ? toWire(schema, value) : value);
  return {
    status,
    headers: { ...headers },
    body: streamed ? streamedJson(body, streamed, wire) : JSON.stringify(wire(body)),
  };
}

/** Evidence is somebody's file: it is saved, never shown, so that nothing in it can run here. */
function servedFile({ name, mediaType, content }: ServedFile): Pick<Answer, "headers" | "body"> {
  const type = /^text\/html|xhtml|svg/i.test(mediaType) ? "application/octet-stream" : mediaType;
  return {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "x-content-type-options": "nosniff",
    },
    body: content,
  };
}
