import * as z from "zod/mini";
import type { Camel, CamelKey, Schema } from "./wire-names.ts";

/** The largest file part the interface takes: 10 MB, meaning 10 × 1024 × 1024 bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** The most attachments one submission may carry. */
export const MAX_ATTACHMENTS = 20;
/** The largest part of a multipart body that is not a file, in bytes. */
export const MAX_JSON_PART_BYTES = 4 * 1024 * 1024;
/** Above this the user is told of it: other services have lower limits. */
export const LARGE_JSON_PART_BYTES = 400_000;
/** The largest JSON body, in bytes: a report of 150,000 pods. */
export const MAX_JSON_BODY_BYTES = 64 * 1024 * 1024;

export interface FileAnswer {
  /** Base name, as the service gives it; empty when it gives none. */
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

export interface ServedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Stands among an operation's responses for an answer that is a file and not JSON. */
export const fileAnswer: z.core.$ZodType<FileAnswer, ServedFile> = z.custom();

/** What a role must be allowed to do to call an operation. */
export type Access =
  /** No authentication. */
  | "public"
  /** Every role. */
  | "read"
  /** Admin, Member and Attester: what a build reports. */
  | "attest"
  /** Admin, Member and Approver: what opens a gate. */
  | "approve"
  | "write"
  /** Admin and Member, but no workflow: what gives access or sends data after a workflow's token has expired. */
  | "grant"
  /** Admin, Member and Snapshotter: what a runtime reporter needs. */
  | "report"
  /** Admin, Member and Snapshotter, each within its own rights, but no workflow: service accounts and their keys. */
  | "manage accounts"
  /** Admin and Auditor: who did what. */
  | "audit"
  | "administer";

/** The fields of a request that name flows and environments, by their wire names. */
interface NamingFields<Field extends string> {
  readonly flows?: Field;
  readonly environments?: Field;
}

/** What a caller that is limited to some flows and environments may do with an operation. */
export type Reach<Field extends string = string> =
  /** Nothing. It concerns the whole organization. */
  | "never"
  /** May call it as any caller may: the answer holds nothing of a flow or environment. */
  | "all"
  /** Call it for what these fields name, and they must be given. The fields in `also` are optional. */
  | { readonly inside: NamingFields<Field>; readonly also?: NamingFields<Field> }
  /** Create what these fields name. */
  | { readonly made: NamingFields<Field>; readonly also?: NamingFields<Field> }
  /** Call it with or without these fields. The handler must limit the answer to the caller's scope. */
  | { readonly list: NamingFields<Field> };

export const insideFlow = { inside: { flows: "flow_name" } } as const;
export const insideEnvironment = { inside: { environments: "env_name" } } as const;

/** Access, reach and weight of most operations. */
export const readsFlow = { access: "read", reach: insideFlow, heavy: false } as const;
export const readsEnvironment = { access: "read", reach: insideEnvironment, heavy: false } as const;
export const readsCommon = { access: "read", reach: "all", heavy: false } as const;
export const readsOrganization = { access: "read", reach: "never", heavy: false } as const;
export const writesOrganization = { access: "write", reach: "never", heavy: false } as const;
export const grantsOrganization = { access: "grant", reach: "never", heavy: false } as const;
export const administersOrganization = { access: "administer", reach: "never", heavy: false } as const;

type ObjectSchema = z.core.$ZodObject;

export interface JsonBody {
  readonly kind: "json";
  readonly schema: Schema;
  /** What the OpenAPI document calls the schema, where clients made from it depend on a name. */
  readonly schemaName?: string;
}

export interface FilePartRule {
  /** `many` files are sent as `<part>` when there is one, else as `<part>.0`, `<part>.1` and so on. */
  readonly count: "one" | "many";
}

export interface MultipartBody {
  readonly kind: "multipart";
  /** The part that holds the body as JSON text. */
  readonly part: string;
  readonly schema: Schema;
  readonly files: Readonly<Record<string, FilePartRule>>;
}

/** The header of an answer to a repeat: nothing was recorded by it. */
export const REPLAYED_HEADER = "Idempotent-Replayed";

/** One operation of the interface. Client, service, reference document and root action all read this. */
export interface OperationShape {
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Below the base address, with its parameters in braces: `/flows/{org}`. */
  readonly path: `/${string}`;
  /** Set where the last parameter of the path takes in all that follows: `acme/web` may come unescaped. */
  readonly slashesInLastParam?: true;
  readonly access: Access;
  readonly reach: Reach;
  /**
   * Whether answering takes so long that a worker does it; also how many items the answer has when the request does not
   * say. Requests with a large body or for a large page are always heavy.
   */
  readonly heavy: boolean | { readonly items: number };
  /** The parameter by which a key that may rotate itself may also call it, for itself. */
  readonly forOwnKey?: string;
  /** The path parameters besides `org`. A path without `{org}` is about the organization of the key. */
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: JsonBody | MultipartBody;
  /** What a 400 for the body says instead of `Input payload validation failed`. */
  readonly invalidBodyMessage?: string;
  /** A body that shows the operation better than one made of its schema, for the reference. */
  readonly example?: unknown;
  /** What success looks like, by status. */
  readonly responses: { readonly 200?: Schema; readonly 201?: Schema };
  /** The headers of a successful answer beyond those every one has. */
  readonly answerHeaders?: readonly string[];
  /** What errors to expect, by status, beyond those every operation may answer (400, 401, 403, 429, 5xx). */
  readonly errors?: { readonly [status: number]: string };
  /** Set where a 409 is permanent, so that trying again cannot help. */
  readonly conflictIsFinal?: true;
  /** Set where an organization that does not exist is refused as one that the caller does not belong to: 403. */
  readonly deniesUnknownOrg?: true;
  /** Set where the same `Idempotency-Key` on each attempt makes a request be recorded once. */
  readonly takesIdempotencyKey?: true;
  /**
   * Set where the request records evidence, once, and the evidence stays true: it can be kept and sent later. Never for
   * decisions, overrides and approvals: anyone who can write to a spool could open a gate with the rights of the replay.
   */
  readonly spoolable?: boolean;
}

type FieldsIn<S> = S extends ObjectSchema ? keyof S["_zod"]["def"]["shape"] & string : never;
/** The names of the parameters of a request and of the fields of its body. */
export type FieldOf<O extends Pick<OperationShape, "params" | "query" | "body">> =
  | FieldsIn<O["params"]>
  | FieldsIn<O["query"]>
  | (O["body"] extends { readonly schema: infer S } ? FieldsIn<S> : never);

interface Declaration extends Omit<OperationShape, "method" | "path"> {
  /** Method and path: `GET /flows/{org}`. */
  readonly route: `${OperationShape["method"]} /${string}`;
}
type Routed<Route> = Route extends `${infer Method extends OperationShape["method"]} /${infer Rest}`
  ? { readonly method: Method; readonly path: `/${Rest}` }
  : never;

/** Declares an operation; its exact type carries the types of request and reply. */
export function defineOperation<const O extends Declaration>(
  operation: O & { readonly reach: Reach<FieldOf<O>> },
): O & Routed<O["route"]> {
  const [method, path] = operation.route.split(" ");
  const parts: unknown = { method, path };
  // The type of a route says what its two parts are.
  return { ...operation, ...(parts as Routed<O["route"]>) };
}

/** A file to send: its base name and its bytes, read only while they are sent. */
export interface FileToSend {
  readonly name: string;
  readonly content: Blob;
  /** Where it came from, for messages. */
  readonly path?: string;
}

type Simplify<T> = { [K in keyof T]: T[K] } & {};
type Values<S> = S extends ObjectSchema ? Camel<z.core.input<S>> : unknown;
type BodyOf<B> = B extends { readonly schema: infer S extends Schema }
  ? { body: Camel<z.core.input<S>> }
  : unknown;
type FilesOf<B> = B extends { readonly files: infer F extends Readonly<Record<string, FilePartRule>> }
  ? {
      files?: {
        [Part in keyof F as CamelKey<Part>]?: F[Part]["count"] extends "many"
          ? readonly FileToSend[]
          : FileToSend;
      };
    }
  : unknown;

/** What a caller gives: path and query parameters, `body`, and `files` by part. */
export type RequestOf<O extends OperationShape> = Simplify<
  Values<O["params"]> & Values<O["query"]> & BodyOf<O["body"]> & FilesOf<O["body"]>
>;

type Answers<O extends OperationShape> = O["responses"][keyof O["responses"] & (200 | 201)];

export type AnswerOf<O extends OperationShape> =
  Answers<O> extends infer S ? (S extends Schema ? Camel<z.core.output<S>> : never) : never;

/** The body as the service sees it after validation. */
export type BodyReceived<O extends OperationShape> = O["body"] extends {
  readonly schema: infer S extends Schema;
}
  ? Camel<z.core.output<S>>
  : undefined;

/** The path and query parameters as the service sees them after validation. */
export type ParamsReceived<O extends OperationShape> = Simplify<
  (O["params"] extends ObjectSchema ? Camel<z.core.output<O["params"]>> : unknown) &
    (O["query"] extends ObjectSchema ? Camel<z.core.output<O["query"]>> : unknown)
>;
