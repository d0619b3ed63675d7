import {
  fileAnswer,
  type JsonBody,
  MAX_ATTACHMENTS,
  MAX_FILE_BYTES,
  MAX_JSON_BODY_BYTES,
  MAX_JSON_PART_BYTES,
  type MultipartBody,
  type OperationShape,
} from "../../../api/operation.ts";
import { MAX_IDEMPOTENCY_KEY } from "../../../api/texts.ts";
import type { Schema } from "../../../api/wire-names.ts";
import { sizeText } from "../../kernel/sizes.ts";
import { describeHeaders, ERROR_SCHEMA, errorResponses, sharedErrorResponses } from "./error-responses.ts";
import { exampleOf, isOptional, jsonSchemaOf } from "./example.ts";

interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

const DESCRIPTION = [
  "The records of software delivery, one set per organization: what was built, tested, approved and deployed.",
  "Every request carries an API key, or an access token of `exchangeToken`, as `Authorization: Bearer KEY` or as the user name of basic authentication.",
  "What is recorded with an access token is answered with `X-Evidence-Origin`: `verified`, or `unproven` or `different` with the fields that the token does not prove.",
  "The header `X-Evidence-Spooled-By` of a request says which other run made what is recorded.",
  "Every answer carries `X-Request-Id`, which names the request in the service's log: the caller's own, or a new one.",
  "A request that equals the latest one about the same attestation or artifact of the last ten minutes, with the same API key, is a repeat: nothing is recorded, and the answer carries `Idempotent-Replayed: true`.",
  "Lists with an unbounded `per_page` hold at most 100 items a page; if a request asked for more, the answer carries `X-Per-Page-Limit`.",
  "Every path is also found below `/api/fastapi`, and one with a slash at its end is redirected (308).",
  "An unknown query parameter is ignored; the answer names it in `X-Ignored-Parameters`.",
  "Addresses of webhooks are shown whole to those who may change them, to others as host and last four characters.",
].join(" ");

export function openApiDocument(operations: readonly OperationShape[]): OpenApiDocument {
  const schemas: Record<string, object> = { Error: ERROR_SCHEMA };
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    paths[operation.path] = { ...path, [operation.method.toLowerCase()]: describe(operation, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Delivery Evidence Service API", version: "2.0", description: DESCRIPTION },
    servers: [{ url: "/api/v2" }],
    tags: [...new Set(operations.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses: sharedErrorResponses(),
      securitySchemes: {
        HTTPBearer: { type: "http", scheme: "bearer", description: "The API key." },
        HTTPBasic: {
          type: "http",
          scheme: "basic",
          description: "The API key as the user name; the password is not looked at.",
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
    tags: [tagOf(operation)],
    security: [{ HTTPBearer: [] }, { HTTPBasic: [] }],
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: requestBody(body, {
        schema: define(schemas, requestSchemaName(name, body), body.schema),
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

function define(schemas: Record<string, object>, name: string, schema: Schema): { $ref: string } {
  schemas[name] = jsonSchemaOf(schema);
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
            description: "The organization.",
            schema: { type: "string" },
            example: "acme",
          },
        ]
      : []),
    ...inPath.map(([name, schema]) => ({
      ...parameter(name, "path", schema),
      ...(takesSlashes(name) && { description: "Its slashes may stand unescaped." }),
    })),
    ...inQuery.map(([name, schema]) => parameter(name, "query", schema)),
    ...(takesIdempotencyKey
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            description:
              "The same key on each attempt of one submission makes it be recorded once. A repeat tells what is true now of what was made. Its answer carries `Idempotent-Replayed: true`.",
            schema: { type: "string", maxLength: MAX_IDEMPOTENCY_KEY },
          },
        ]
      : []),
  ];
}

function parameter(name: string, place: "path" | "query", zodSchema: Schema): object {
  const schema = jsonSchemaOf(zodSchema);
  const required = place === "path" || !isOptional(zodSchema);
  return { name, in: place, required, schema, ...(required && { example: exampleOf(schema, name) }) };
}

function successResponses(
  operation: OperationShape,
  schemas: Record<string, object>,
): Record<string, object> {
  const entries = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    {
      description: MEANINGS[status] ?? "Done.",
      ...(operation.answerHeaders && { headers: describeHeaders(operation.answerHeaders) }),
      content: schema === fileAnswer ? FILE_CONTENT : jsonContent(operation, status, schema, schemas),
    },
  ]);
  return Object.fromEntries(entries);
}

const MEANINGS: Readonly<Record<string, string>> = {
  200: "Done; nothing new was made.",
  201: "Done; something new was made.",
};

const FILE_CONTENT = {
  "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } },
};

function jsonContent(
  { name, method }: OperationShape,
  status: string,
  zodSchema: Schema,
  schemas: Record<string, object>,
): object {
  const schema = define(schemas, `${capitalized(name)}Answer${method === "GET" ? "" : status}`, zodSchema);
  return { "application/json": { schema, example: answerExample(zodSchema) } };
}

function answerExample(zodSchema: Schema): unknown {
  const schema = jsonSchemaOf(zodSchema);
  return schema.type === "string" && !schema.pattern ? "OK" : exampleOf(schema);
}

/** The resource, as the path begins: `/custom-attestation-types/{org}` is of `Custom attestation types`. */
function tagOf({ path }: OperationShape): string {
  return capitalized((path.split("/")[1] ?? "").replaceAll(/[-_]/g, " "));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Described {
  readonly schema: { readonly $ref: string };
  readonly example: unknown;
}

function requestBody(body: JsonBody | MultipartBody, described: Described): object {
  return body.kind === "json" ? jsonRequest(described) : formRequest(body, described);
}

function jsonRequest({ schema, example }: Described): object {
  return {
    required: true,
    description: `At most ${sizeText(MAX_JSON_BODY_BYTES)}.`,
    content: { "application/json": { schema, example } },
  };
}

function formRequest({ part, files }: MultipartBody, { schema, example }: Described): object {
  const file = (description: string) => ({
    type: "string",
    contentMediaType: "application/octet-stream",
    // Of a file this counts bytes.
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
