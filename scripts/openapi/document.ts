import {
  fileAnswer,
  type JsonBody,
  MAX_ATTACHMENTS,
  MAX_FILE_BYTES,
  MAX_JSON_BODY_BYTES,
  MAX_JSON_PART_BYTES,
  type MultipartBody,
  type OperationShape,
} from "../../src/api/operation.ts";
import { MAX_IDEMPOTENCY_KEY } from "../../src/api/texts.ts";
import type { Schema } from "../../src/api/wire-names.ts";
import { sizeText } from "../../src/service/kernel/sizes.ts";
import { commonField, withCommonFields } from "./common-fields.ts";
import { descriptionOf } from "./doc-comments.ts";
import {
  describeHeaders,
  ERROR_SCHEMA,
  errorResponses,
  leafHeaderReferences,
  leafHeaders,
  sharedErrorResponses,
} from "./error-responses.ts";
import { exampleOf, isOptional, jsonSchemaOf } from "./example.ts";
import { inReadingOrder, TAGS, type Tag, tagOf } from "./tags.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Pick<Tag, "name" | "description">[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

const DESCRIPTION = [
  "The records of software delivery, one set per organization: what was built, tested, approved and deployed.",
  "Send an API key, or an access token from `exchangeToken`, as `Authorization: Bearer KEY` or as the user name of basic authentication.",
  "Responses to records made with an access token have the header `X-Evidence-Origin`: `verified`, or `unproven` or `different` followed by the fields that the token does not prove.",
  "The request header `X-Evidence-Spooled-By` names the run that made the record when another run sends it later.",
  "Every response has the header `X-Request-Id`, which names the request in the service's log: the ID that the caller sent, or a new one.",
  "A request that equals the latest one about the same attestation or artifact, sent with the same API key within ten minutes, is a repeat: nothing is recorded, and the response has the header `Idempotent-Replayed: true`.",
  "A page of a list has at most 100 items. If a request asks for more, the response has the header `X-Per-Page-Limit`.",
  "Every path also works below `/api/fastapi`. A path with a trailing slash is redirected with status 308.",
  "Unknown query parameters are ignored and named in the response header `X-Ignored-Parameters`.",
  "Callers who may change a webhook see its whole address; others see its host and last four characters.",
].join(" ");

/** @param operations from modules with doc comments: see `doc-comments.ts` */
export function openApiDocument(operations: readonly OperationShape[]): OpenApiDocument {
  const schemas: Record<string, object> = { Error: ERROR_SCHEMA };
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of inReadingOrder(operations)) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = { ...path, [operation.method.toLowerCase()]: describe(operation, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Delivery Evidence Service API", version: "2.0", description: DESCRIPTION },
    servers: [{ url: "/api/v2" }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas,
      responses: sharedErrorResponses(),
      headers: leafHeaders(),
      securitySchemes: {
        HTTPBearer: { type: "http", scheme: "bearer", description: "The API key." },
        HTTPBasic: {
          type: "http",
          scheme: "basic",
          description: "The API key as the user name. The password is ignored.",
        },
      },
    },
  };
}

function describe(operation: OperationShape, schemas: Record<string, object>): OperationObject {
  const { name, summary, body } = operation;
  return {
    operationId: name,
    summary,
    description: descriptionOf(operation),
    tags: [tagOf(operation).name],
    security: [{ HTTPBearer: [] }, { HTTPBasic: [] }, ...(operation.mayBePublic ? [{}] : [])],
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: requestBody(body, {
        schema: define(schemas, requestSchemaName(name, body), { schema: body.schema, operation }),
        example: operation.example ?? exampleOf(jsonSchemaOf(body.schema)),
      }),
    }),
    responses: { ...successResponses(operation, schemas), ...errorResponses(operation) },
  };
}

function requestSchemaName(operation: string, body: NonNullable<OperationShape["body"]>): string {
  const own = body.kind === "json" ? body.schemaName : undefined;
  return own ?? `${capitalized(operation)}Request`;
}

interface Defined {
  readonly schema: Schema;
  readonly operation: OperationShape;
}

function define(
  schemas: Record<string, object>,
  name: string,
  { schema, operation }: Defined,
): { $ref: string } {
  schemas[name] = withCommonFields(jsonSchemaOf(schema), tagOf(operation).name);
  return { $ref: `#/components/schemas/${name}` };
}

function parametersOf(operation: OperationShape): object[] {
  const { path, params, query, slashesInLastParam, takesIdempotencyKey } = operation;
  const inPath = Object.entries(params?._zod.def.shape ?? {});
  const takesSlashes = (name: string) => slashesInLastParam === true && path.endsWith(`{${name}}`);
  const inQuery = Object.entries(query?._zod.def.shape ?? {});
  return [
    ...(path.includes("{org}")
      ? [
          {
            name: "org",
            in: "path",
            required: true,
            description: "Name of the organization.",
            schema: { type: "string" },
            example: "acme",
          },
        ]
      : []),
    ...inPath.map(([name, schema]) => ({
      ...parameter(name, "path", { schema, operation }),
      ...(takesSlashes(name) && { description: "The name; slashes need no escaping." }),
    })),
    ...inQuery.map(([name, schema]) => parameter(name, "query", { schema, operation })),
    ...(takesIdempotencyKey
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            description:
              "A key of your choice, the same on each attempt of one submission, so that it is recorded once. The response to a repeat describes the first record and has the header `Idempotent-Replayed: true`. Keys expire after 24 hours.",
            schema: { type: "string", maxLength: MAX_IDEMPOTENCY_KEY },
          },
        ]
      : []),
  ];
}

function parameter(name: string, place: "path" | "query", { schema: zodSchema, operation }: Defined): object {
  const { description = commonField(name, tagOf(operation).name), ...schema } = jsonSchemaOf(zodSchema);
  const required = place === "path" || !isOptional(zodSchema);
  return {
    ...{ name, in: place, required, description, schema },
    ...(required && { example: exampleOf(schema, name) }),
  };
}

function successResponses(
  operation: OperationShape,
  schemas: Record<string, object>,
): Record<string, object> {
  const entries = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    {
      description: jsonSchemaOf(schema).description ?? meaningOf(operation, status),
      ...headersOf(operation),
      content: schema === fileAnswer ? FILE_CONTENT : jsonContent(operation, status, schema, schemas),
    },
  ]);
  return Object.fromEntries(entries);
}

/** Every write may record events. */
function headersOf({ method, access, answerHeaders = [] }: OperationShape): { headers?: object } {
  const mayRecord = method !== "GET" && access !== "public";
  const headers = { ...describeHeaders(answerHeaders), ...(mayRecord && leafHeaderReferences()) };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function meaningOf({ method, responses }: OperationShape, status: string): string {
  if (status === "201") return "A new record was created.";
  if (responses[200] === fileAnswer) return "The file.";
  if (method === "DELETE") return "The record was deleted.";
  return method === "GET" ? "The requested data." : "Success. No new record was created.";
}

const FILE_CONTENT = {
  "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } },
};

function jsonContent(
  operation: OperationShape,
  status: string,
  zodSchema: Schema,
  schemas: Record<string, object>,
): object {
  const name = `${capitalized(operation.name)}Answer${operation.method === "GET" ? "" : status}`;
  const schema = define(schemas, name, { schema: zodSchema, operation });
  return { "application/json": { schema, example: answerExample(zodSchema) } };
}

function answerExample(zodSchema: Schema): unknown {
  const schema = jsonSchemaOf(zodSchema);
  return schema.type === "string" && !schema.pattern ? "OK" : exampleOf(schema);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Described {
  readonly schema: { readonly $ref: string };
  readonly example: unknown;
}

function requestBody(body: JsonBody | MultipartBody, described: Described): object {
  return body.kind === "json" ? jsonRequest(body, described) : formRequest(body, described);
}

function jsonRequest({ maxBytes = MAX_JSON_BODY_BYTES }: JsonBody, { schema, example }: Described): object {
  return {
    required: true,
    description: `At most ${sizeText(maxBytes)}.`,
    content: { "application/json": { schema, example } },
  };
}

function formRequest({ part, files }: MultipartBody, { schema, example }: Described): object {
  const file = (description: string) => ({
    type: "string",
    contentMediaType: "application/octet-stream",
    // For a file, this is a number of bytes.
    maxLength: MAX_FILE_BYTES,
    description,
  });
  const limit = `at most ${sizeText(MAX_FILE_BYTES)}`;
  const several = Object.entries(files).filter(([, { count }]) => count === "many");
  return {
    required: true,
    description: `A form; the part \`${part}\` is JSON text of at most ${sizeText(MAX_JSON_PART_BYTES)}.`,
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: [part],
          properties: {
            [part]: { ...schema, examples: [example] },
            ...Object.fromEntries(Object.keys(files).map((name) => [name, file(`A file of ${limit}.`)])),
          },
          ...(several.length > 0 && {
            patternProperties: Object.fromEntries(
              several.map(([name]) => [
                `^${name}\\.(0|[1-9][0-9]*)$`,
                file(`One of several files, counted from 0: ${MAX_ATTACHMENTS} in all, each ${limit}.`),
              ]),
            ),
          }),
        },
        encoding: { [part]: { contentType: "application/json" } },
        example: { [part]: example },
      },
    },
  };
}
