import type * as z from "zod/mini";
import type { BodyReceived, FilePartRule, OperationShape, ParamsReceived } from "../../api/operation.ts";
import type {
  MemberOperationName,
  OperationName,
  operations,
  PublicOperationName,
} from "../../api/resources/operations.ts";
import type { Camel, CamelKey, Schema } from "../../api/wire-names.ts";
import { requireRight } from "../kernel/access.ts";
import type { ActContext, Caller, Organization, RequestSource } from "../kernel/caller.ts";
import { Forbidden } from "../kernel/errors.ts";
import { type Given, namesGiven } from "../kernel/scope.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";
import type { ServiceContext } from "./context.ts";
import type { RequestIdentity } from "./idempotency.ts";

type FilesReceived<O extends OperationShape> = O["body"] extends {
  readonly files: infer F extends Readonly<Record<string, FilePartRule>>;
}
  ? {
      [Part in keyof F as CamelKey<Part>]: F[Part]["count"] extends "many"
        ? readonly ReceivedFile[]
        : ReceivedFile | undefined;
    }
  : unknown;

/** A request that passed all checks that need no records. */
export interface CallOf<O extends OperationShape> {
  readonly org: Organization;
  readonly caller: Caller;
  readonly source: RequestSource;
  readonly params: ParamsReceived<O>;
  readonly body: BodyReceived<O>;
  readonly files: FilesReceived<O>;
  readonly identity: RequestIdentity;
  /** Set for a request to the API. A page calls operations to show their answers. */
  readonly byProgram?: true;
}

export interface PublicCallOf<O extends OperationShape> {
  readonly source: RequestSource;
  readonly params: ParamsReceived<O>;
  readonly body: BodyReceived<O>;
}

export type Sender = Pick<CallOf<OperationShape>, "org" | "caller" | "source">;

type SuccessStatus<O extends OperationShape> = keyof O["responses"] & (200 | 201);

type SuccessBody<
  O extends OperationShape,
  Status extends SuccessStatus<O>,
> = O["responses"][Status] extends infer S extends Schema ? Camel<z.core.input<S>> : never;

type Streamed<Body> = Body extends readonly unknown[] ? AsyncIterable<Body> : StreamedFields<Body>;

type StreamedFields<Body> = {
  readonly [Name in keyof Body as NonNullable<Body[Name]> extends readonly unknown[]
    ? Name
    : never]?: AsyncIterable<NonNullable<Body[Name]>>;
};

type Reply<O extends OperationShape> = {
  [Status in SuccessStatus<O>]: {
    readonly status: Status;
    /** Headers besides those of every response. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: SuccessBody<O, Status>;
    /** Lists of the body, or the body itself, if too large for memory. They are sent in slices, on demand. */
    readonly streamed?: Streamed<SuccessBody<O, Status>>;
  };
}[SuccessStatus<O>];

/** Performs an operation. Throws a `Refusal` for requests that it refuses. */
export type HandlerOf<O extends OperationShape> = (
  call: CallOf<O>,
  context: ServiceContext,
) => Promise<Reply<O>>;

type Operations = typeof operations;
export type Call<Name extends OperationName> = CallOf<Operations[Name]>;
export type Handler<Name extends MemberOperationName> = HandlerOf<Operations[Name]>;
export type PublicHandler<Name extends PublicOperationName> = (
  call: PublicCallOf<Operations[Name]>,
  context: ServiceContext,
) => Promise<Reply<Operations[Name]>>;

export type MemberHandlers = { readonly [Name in MemberOperationName]: Handler<Name> };
export type PublicHandlers = { readonly [Name in PublicOperationName]: PublicHandler<Name> };
export type Handlers = MemberHandlers & PublicHandlers;

/** The caller, organization, source and time of a call. */
export function requestContextOf(
  { org, caller, source }: Sender,
  { now, links, deliveries, leaves }: Pick<ServiceContext, "now" | "links" | "deliveries" | "leaves">,
): ActContext {
  const { accountId, accountName, keyId, workflow, person, scope, spooledBy } = caller;
  const isScoped = scope !== null;
  return {
    orgId: org.id,
    accountId,
    accountName,
    keyId,
    isScoped,
    ...(workflow && { workflow }),
    ...(person && { person }),
    ...(spooledBy !== undefined && { spooledBy }),
    ...source,
    notifier: { org, links, deliveries },
    ...(leaves && { leaves }),
    now: now(),
  };
}

/** Checks the caller's right. A flow given by a former name must be in scope under its current name. @throws Forbidden */
export async function requireRightTo(
  db: Database,
  { caller, org }: Pick<Sender, "caller" | "org">,
  operation: OperationShape,
  given: Given,
): Promise<void> {
  requireRight(caller, operation, given);
  const flows = namesGiven(operation, given, "flows");
  if (caller.scope === null || flows.length === 0) return;
  const outside = await db
    .selectFrom("former_flow_names as former")
    .innerJoin("flows", "flows.id", "former.flow_id")
    .select("flows.id")
    .where("former.org_id", "=", org.id)
    .where("former.name", "in", listed(flows))
    .where("flows.name", "not in", listed(caller.scope.flows))
    .executeTakeFirst();
  if (outside) throw new Forbidden();
}
