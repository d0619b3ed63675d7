import type { IncomingMessage } from "node:http";
import { fileAnswer, type OperationShape, type ServedFile } from "../../api/operation.ts";
import { EVENT_HEADER, LEAF_HEADER } from "../../api/receipt-headers.ts";
import {
  type MemberOperationName,
  operations,
  type PublicOperationName,
} from "../../api/resources/operations.ts";
import { camelName, type Schema, toWire } from "../../api/wire-names.ts";
import { requireRight } from "../kernel/access.ts";
import { type Caller, everybodyIn, type Leaf, type RequestSource } from "../kernel/caller.ts";
import { isNamed } from "../kernel/entity-tag.ts";
import { Forbidden, isRefusal, NotFound, Unproven } from "../kernel/errors.ts";
import { givenBy } from "../kernel/scope.ts";
import { isStorable } from "../kernel/storable-text.ts";
import { ofOrganization, type ServiceContext } from "../operation/context.ts";
import { findCaller, mayReadCopy, onCopy } from "../operation/copies.ts";
import {
  type Handler,
  type Handlers,
  type MemberHandlers,
  type PublicHandler,
  type PublicHandlers,
  requireRightTo,
} from "../operation/handler.ts";
import type { KeyUse } from "../people/accounts/key-use.ts";
import { findOrganization } from "../people/accounts/organizations.ts";
import { findKeyOwner } from "../people/credentials.ts";
import type { Reading } from "../store/store.ts";
import { authenticate } from "./authentication.ts";
import type { BodyMemory, BodyRoom } from "./body-memory.ts";
import type { Answer } from "./error-answer.ts";
import type { RateLimits } from "./rate-limits.ts";
import { type Admitted, type OpenRequest, receive, receivePublic } from "./receive.ts";
import { type RequestTarget, refuseRepeatedHeaders } from "./request-head.ts";
import { type StreamedLists, streamedJson } from "./streamed-json.ts";

interface Admission {
  readonly rateLimits: RateLimits;
  readonly bodyMemory: BodyMemory;
  readonly keyUse: KeyUse;
}

export interface Served {
  readonly handlers: Handlers;
  readonly context: ServiceContext;
  readonly admission: Admission;
  /** Organizations whose pages are public. */
  readonly publicOrgs?: ReadonlySet<string>;
  /** Lets another thread answer a request that would block this one for long. Undefined for other requests. */
  readonly answerElsewhere?: (
    name: MemberOperationName,
    request: RoutedRequest,
    room: BodyRoom,
  ) => Promise<Answer> | undefined;
}

export interface RoutedRequest {
  readonly incoming: IncomingMessage;
  readonly source: RequestSource;
  readonly target: RequestTarget;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly identified: (caller: Caller) => void;
}

/**
 * Serves an operation. The order of checks hides records from callers without a right: key,
 * organization, role, request, records.
 */
export async function serveOperation<N extends MemberOperationName>(
  name: N,
  request: RoutedRequest,
  served: Served,
): Promise<Answer> {
  const { context, admission } = served;
  const operation = operations[name];
  const { handlers }: { handlers: MemberHandlers } = served;
  const handler: Handler<N> = handlers[name];
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
    const given = givenBy(call.params, call.body);
    const leaves: Leaf[] = [];
    const replyFrom = async (used: ServiceContext) => {
      await requireRightTo(used.store.read, call, operation, given);
      return handler(call, used);
    };
    const reply = await (mayReadCopy(operation)
      ? onCopy(context, replyFrom)
      : replyFrom(ofOrganization(context, admitted.org, leaves)));
    const found = unlessKnown(answer(operation.responses, reply), request.incoming);
    return { ...found, headers: { ...found.headers, ...leafHeaders(leaves) } };
  } finally {
    await reception.discard().finally(room.release);
  }
}

async function admit(
  name: MemberOperationName,
  request: RoutedRequest,
  { context: { store, now }, admission: { keyUse, rateLimits }, publicOrgs }: Served,
): Promise<Admitted> {
  refuseRepeatedHeaders(request.incoming);
  const { org: orgName, ...pathParams } = request.pathParams;
  // No organization has an empty name.
  const storableName = orgName === undefined || isStorable(orgName) ? orgName : "";
  const operation: OperationShape = operations[name];
  if (operation.mayBePublic && isAnonymous(request) && storableName && publicOrgs?.has(storableName)) {
    rateLimits.visit(request.incoming);
    const org = await findOrganization(store.read, storableName);
    if (org) return { ...request, org, caller: everybodyIn(org), pathParams };
  }
  const { caller, org } = await rateLimits.admit(request.incoming, () =>
    authenticate(request.incoming.headers.authorization, (key) => {
      const find = ({ read }: Reading) => findKeyOwner(read, key, { now: now(), orgName: storableName });
      return mayReadCopy(operation) ? findCaller(store, find) : find(store);
    }),
  );
  request.identified(caller);
  keyUse.note(caller, now());
  if (!org && !operation.deniesUnknownOrg)
    throw new NotFound("organization.not_found", `Organization '${orgName}' does not exist`);
  if (!org || caller.orgId !== org.id)
    throw new Forbidden("access.other_organization", `Access denied to ${request.target.path}`);
  const named = Object.entries(pathParams).map(([param, value]) => [camelName(param), value]);
  requireRight(caller, operation, Object.fromEntries(named));
  return { ...request, org, caller, pathParams };
}

const isAnonymous = ({ incoming }: RoutedRequest) => incoming.headers.authorization === undefined;

/** Serves a public operation. Its refusals count as failed logins. */
export async function servePublic<N extends PublicOperationName>(
  name: N,
  request: OpenRequest,
  served: Served,
): Promise<Answer> {
  const { context, admission } = served;
  const { rateLimits } = admission;
  refuseRepeatedHeaders(request.incoming);
  rateLimits.visit(request.incoming);
  const operation = operations[name];
  const { handlers }: { handlers: PublicHandlers } = served;
  const handler: PublicHandler<N> = handlers[name];
  try {
    return answer(operation.responses, await handler(await receivePublic(operation, request), context));
  } catch (error) {
    if (error instanceof Unproven || isRefusal(error, "trust_policy.no_match"))
      rateLimits.refuse(request.incoming);
    throw error;
  }
}

/** Omits a body whose ETag the caller named. */
function unlessKnown(found: Answer, { headers }: IncomingMessage): Answer {
  const { etag } = found.headers;
  const isKnown = etag !== undefined && isNamed(etag, headers["if-none-match"]);
  return isKnown ? { ...found, status: 304, body: "" } : found;
}

/** More would exceed the headers that proxies accept. */
const MAX_LEAVES = 16;

/** The events of a committed write, so that the caller can prove later that the service had them. */
function leafHeaders(leaves: readonly Leaf[]): Record<string, string> {
  const named = leaves.slice(0, MAX_LEAVES);
  if (named.length === 0) return {};
  return {
    [LEAF_HEADER]: named.map(({ digest }) => `sha256:${digest}`).join(", "),
    [EVENT_HEADER]: named.map(({ eventId }) => eventId).join(", "),
  };
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
  if (schema === fileAnswer) {
    const { headers: ofFile, ...file } = servedFile(body as ServedFile);
    return { status, headers: { ...headers, ...ofFile }, ...file };
  }
  const wire = (value: unknown) => (schema ? toWire(schema, value) : value);
  return {
    status,
    headers: { ...headers },
    body: streamed ? streamedJson(body, streamed, wire) : JSON.stringify(wire(body)),
  };
}

/** Evidence is uploaded content. It is downloaded and never displayed, so that nothing in it can run here. */
function servedFile({ name, mediaType, content, isOwn }: ServedFile): Pick<Answer, "headers" | "body"> {
  const mayRun = !isOwn && /^text\/html|xhtml|svg/i.test(mediaType);
  const type = mayRun ? "application/octet-stream" : mediaType;
  return {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "x-content-type-options": "nosniff",
    },
    body: content,
  };
}
