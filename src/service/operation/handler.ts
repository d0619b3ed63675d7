import type * as z from "zod/mini";
import type { BodyReceived, FilePartRule, OperationShape, ParamsReceived } from "../../api/operation.ts";
import type { Camel, CamelKey, Schema } from "../../api/wire-names.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Organization } from "../kernel/organization.ts";
import type { RequestSource } from "../kernel/request-context.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
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

/** A request that passed every check that needs no records. */
export interface Call<O extends OperationShape> {
  /** The organization in the path. */
  readonly org: Organization;
  readonly caller: Caller;
  readonly source: RequestSource;
  readonly params: ParamsReceived<O>;
  readonly body: BodyReceived<O>;
  readonly files: FilesReceived<O>;
  readonly identity: RequestIdentity;
}

/** A request of somebody who was not asked who it is. */
export interface OpenCall<O extends OperationShape> {
  readonly source: RequestSource;
  readonly params: ParamsReceived<O>;
  readonly body: BodyReceived<O>;
}

/** What a call says of who makes it. */
export type Sender = Pick<Call<OperationShape>, "org" | "caller" | "source">;

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

/** A successful answer: one of the operation's statuses, with the body that goes with it. */
type Reply<O extends OperationShape> = {
  [Status in SuccessStatus<O>]: {
    readonly status: Status;
    /** Beside those every answer has. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: SuccessBody<O, Status>;
    /** Lists of the body, or the body itself, if too long to be held at once. They are sent in slices, on demand. */
    readonly streamed?: Streamed<SuccessBody<O, Status>>;
  };
}[SuccessStatus<O>];

/** Does what an operation promises. Throws a `Refusal` for what it refuses. */
export type Handler<O extends OperationShape> = (call: Call<O>, context: ServiceContext) => Promise<Reply<O>>;

/** Does what an operation promises to anybody. Throws a `Refusal` for what it refuses. */
export type OpenHandler<O extends OperationShape> = (
  call: OpenCall<O>,
  context: ServiceContext,
) => Promise<Reply<O>>;
