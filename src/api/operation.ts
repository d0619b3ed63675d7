import * as z from "zod/mini";
import type { FileAnswer, FileToSend } from "./files.ts";
import type { Camel, CamelKey, Schema } from "./wire-names.ts";

/** Maximum size of a file part: 10 MB, meaning 10 × 1024 × 1024 bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Maximum number of attachments in a submission. */
export const MAX_ATTACHMENTS = 20;
/** Maximum size of a multipart part that is not a file, in bytes. */
export const MAX_JSON_PART_BYTES = 4 * 1024 * 1024;
/** Size above which the user is warned, in bytes, because other services have lower limits. */
export const LARGE_JSON_PART_BYTES = 400_000;
/** Maximum size of a JSON body, in bytes: a report of 150,000 pods. */
export const MAX_JSON_BODY_BYTES = 64 * 1024 * 1024;

export interface ServedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Whether the service wrote it. Uploaded HTML is never sent as HTML. */
  readonly isOwn?: true;
}

/** Schema of a response that is a file instead of JSON. */
export const fileAnswer: z.core.$ZodType<FileAnswer, ServedFile> = z.custom();

/** The right that a role needs to call an operation. */
export type Access =
  /** No authentication. */
  | "public"
  /** Every role. The answer may lack what was recorded just before. */
  | "read"
  /** Every role: what a deployment waits for. The answer contains everything that was recorded before. */
  | "assert"
  /** Admin, Member and Attester: evidence of builds. */
  | "attest"
  /** Admin, Member and Approver: approvals, which can open a gate. */
  | "approve"
  | "write"
  /** Admin and Member, but no workflow: access and data transfers that outlive a workflow's token. */
  | "grant"
  /** Admin, Member and Snapshotter: reports of running artifacts. */
  | "report"
  /** Admin, Member and Snapshotter, but no workflow: service accounts and keys with at most the caller's rights. */
  | "manage accounts"
  /** Admin and Auditor: the audit log. */
  | "audit"
  | "administer";

/** The fields of a request that name flows and environments, by their wire names. */
interface NamingFields<Field extends string> {
  readonly flows?: Field;
  readonly environments?: Field;
}

/** Use of an operation by a caller limited to some flows and environments. */
export type Reach<Field extends string = string> =
  /** Forbidden, because the operation concerns the whole organization. */
  | "never"
  /** Unrestricted, because the response contains no data of flows or environments. */
  | "all"
  /** Allowed for the places in these fields, which are required. The fields in `also` are optional. */
  | { readonly inside: NamingFields<Field>; readonly also?: NamingFields<Field> }
  /** Allowed to create the places in these fields. */
  | { readonly made: NamingFields<Field>; readonly also?: NamingFields<Field> }
  /** Allowed with or without these fields. The handler must limit the response to the caller's scope. */
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
  /** Maximum size in bytes; by default {@link MAX_JSON_BODY_BYTES}. */
  readonly maxBytes?: number;
  /** Name of the schema in the OpenAPI document, if generated clients depend on it. */
  readonly schemaName?: string;
}

export interface FilePartRule {
  /** With `many`, one file is sent as `<part>`, several as `<part>.0`, `<part>.1` and so on. */
  readonly count: "one" | "many";
}

export interface MultipartBody {
  readonly kind: "multipart";
  /** Name of the part with the JSON body. */
  readonly part: string;
  readonly schema: Schema;
  readonly files: Readonly<Record<string, FilePartRule>>;
}

/** Header of the response to a repeat, which recorded nothing. */
export const REPLAYED_HEADER = "Idempotent-Replayed";

/** Header of responses that a conditional request need not repeat. */
export const ETAG_HEADER = "ETag";

/** An operation of the API, for the client, the service, the reference and the root action. */
export interface OperationShape {
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Path after the base address, with parameters in braces, such as `/flows/{org}`. */
  readonly path: `/${string}`;
  /** Path parameter that takes only IDs. Other values belong to a path with `slashesInLastParam`. */
  readonly idParam?: string;
  /** Set if the last parameter takes the rest of the path: `acme/web` may be unescaped. */
  readonly slashesInLastParam?: true;
  /** Set if organizations whose pages are public answer it without a key. */
  readonly mayBePublic?: true;
  readonly access: Access;
  readonly reach: Reach;
  /**
   * Whether a worker must answer the request; or the default number of items in the response. Requests with a large
   * body or for a large page are heavy too, except with `never`, for what only the main thread can do.
   */
  readonly heavy: boolean | "never" | { readonly items: number };
  /** Parameter with the ID of a key that may call the operation for itself, if it may rotate itself. */
  readonly forOwnKey?: string;
  /** Path parameters other than `org`. A path without `{org}` implies the organization of the key. */
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly body?: JsonBody | MultipartBody;
  /** Message of a 400 for the body, instead of `Input payload validation failed`. */
  readonly invalidBodyMessage?: string;
  /** Example body for the reference, if one from the schema is not good enough. */
  readonly example?: unknown;
  /** Successful responses by status. */
  readonly responses: { readonly 200?: Schema; readonly 201?: Schema };
  /** Additional headers of a successful response. */
  readonly answerHeaders?: readonly string[];
  /** Errors by status, in addition to those of every operation (400, 401, 403, 429, 5xx). */
  readonly errors?: { readonly [status: number]: string };
  /** Set if a 409 is permanent and must not be retried. */
  readonly conflictIsFinal?: true;
  /** Set if an unknown organization gets the 403 of an organization that the caller does not belong to. */
  readonly deniesUnknownOrg?: true;
  /** Set if requests with the same `Idempotency-Key` are recorded once. */
  readonly takesIdempotencyKey?: true;
  /**
   * Whether the request can be stored and sent later, because it records evidence that stays true. Never set for
   * decisions, overrides and approvals, or anyone with write access to a spool could open a gate with the rights of the
   * replay. If only some requests are evidence, these are the values of the field that tells them apart.
   */
  readonly spoolable?: boolean | { readonly field: string; readonly values: readonly string[] };
}

/** Whether this request can be stored and sent later. */
export function isSpoolable({ spoolable = false }: OperationShape, body: unknown): boolean {
  if (typeof spoolable === "boolean") return spoolable;
  const { [spoolable.field]: value } = Object(body);
  return spoolable.values.includes(value);
}

type FieldsIn<S> = S extends ObjectSchema ? keyof S["_zod"]["def"]["shape"] & string : never;
/** Names of the parameters and body fields of a request. */
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

/** Declares an operation. Its type contains the types of request and response. */
export function defineOperation<const O extends Declaration>(
  operation: O & { readonly reach: Reach<FieldOf<O>> },
): O & Routed<O["route"]> {
  const [method, path] = operation.route.split(" ");
  const parts: unknown = { method, path };
  // The type of a route guarantees both parts.
  return { ...operation, ...(parts as Routed<O["route"]>) };
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

/** Request of an operation: path and query parameters, `body`, and `files` by part. */
export type RequestOf<O extends OperationShape> = Simplify<
  Values<O["params"]> & Values<O["query"]> & BodyOf<O["body"]> & FilesOf<O["body"]>
>;

type Answers<O extends OperationShape> = O["responses"][keyof O["responses"] & (200 | 201)];

/** Response body of an operation. */
export type AnswerOf<O extends OperationShape> =
  Answers<O> extends infer S ? (S extends Schema ? Camel<z.core.output<S>> : never) : never;

/** Body after validation in the service. */
export type BodyReceived<O extends OperationShape> = O["body"] extends {
  readonly schema: infer S extends Schema;
}
  ? Camel<z.core.output<S>>
  : undefined;

/** Path and query parameters after validation in the service. */
export type ParamsReceived<O extends OperationShape> = Simplify<
  (O["params"] extends ObjectSchema ? Camel<z.core.output<O["params"]>> : unknown) &
    (O["query"] extends ObjectSchema ? Camel<z.core.output<O["query"]>> : unknown)
>;
