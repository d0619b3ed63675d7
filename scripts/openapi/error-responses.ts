import { ERROR_CODES } from "../../src/api/error-codes.ts";
import { ETAG_HEADER, type OperationShape } from "../../src/api/operation.ts";
import { EVENT_HEADER, LEAF_HEADER } from "../../src/api/receipt-headers.ts";
import { COMPLIANT_HEADER } from "../../src/api/resources/attestation-fields.ts";
import { FLOW_CREATED_HEADER } from "../../src/api/resources/provenance.ts";
import { TEMPLATE_MATCH_HEADER } from "../../src/api/resources/template-match.ts";

const REFUSALS: Readonly<Record<number, { description: string; example: object }>> = {
  400: {
    description:
      "The path, query or body is invalid. `errors` has the problem of each field, at most 100; the message counts the rest. JSON with more than 4,000,000 values is refused as well.",
    example: {
      code: "request.field_invalid",
      message: "Input payload validation failed",
      errors: { "query.per_page": "Input should be less than or equal to 50 [input: 51]" },
    },
  },
  401: {
    description: "Credentials are missing, unknown, expired or of an unsupported scheme.",
    example: { code: "auth.key_unknown", message: "Unauthorized: the API key is not known" },
  },
  403: {
    description:
      "The key belongs to another organization, or the role of its account does not allow this operation.",
    example: { code: "access.denied", message: "You don't have permission to access this resource" },
  },
  404: {
    description: "Something that the request names does not exist.",
    example: { code: "organization.not_found", message: "Organization 'acme' does not exist" },
  },
  408: {
    description: "The body did not arrive in time: after 30 seconds it must arrive at 50 kB/s or faster.",
    example: { code: "request.timeout", message: "The request did not arrive in time" },
  },
  409: {
    description:
      "The request conflicts with another one. Retry, unless the description says that the conflict is final.",
    example: {
      code: "resource.exists",
      message: "A control with identifier 'SOC2-1' already exists in organization 'acme'",
    },
  },
  413: {
    description: "The body or one of its parts is larger than the limit.",
    example: {
      code: "request.too_large",
      message: "attachment 'report.html' is 11.2 MB; the limit is 10 MB",
    },
  },
  415: {
    description: "The body is compressed or has an unsupported media type.",
    example: {
      code: "request.content_unsupported",
      message: "Content-Encoding 'gzip' is not supported",
    },
  },
  422: {
    description: "The `Idempotency-Key` was used with another request.",
    example: { code: "idempotency.key_reused", message: "Idempotency-Key was used with another request" },
  },
  429: {
    description: "Too many requests with this key or from this address, or too many failed sign-ins.",
    example: {
      code: "limit.key_rate",
      message: "Too many requests with this API key: at most 60000 a minute; try again in 1 s",
    },
  },
  431: {
    description: "The address and headers of the request exceed the limit.",
    example: {
      code: "request.headers_too_large",
      message: "The address and the headers of the request are larger than the limit of 16 kB",
    },
  },
  500: {
    description: "The service failed. Its log has the reason under the request ID.",
    example: {
      code: "service.failed",
      message: "The service failed; its log says why under request id 3f0c",
    },
  },
  503: {
    description:
      "The service is temporarily unavailable, for example out of memory for another body. Retry after `Retry-After` seconds, if that header is present.",
    example: {
      code: "service.records_unavailable",
      message: "The records cannot be read or written right now: try again",
    },
  },
};

export const ERROR_SCHEMA = {
  type: "object",
  required: ["message", "code"],
  properties: {
    code: { type: "string", enum: ERROR_CODES, description: "Error code for programs, `area.reason`." },
    message: { type: "string", description: "Error message for people." },
    errors: {
      type: ["object", "null"],
      additionalProperties: { type: "string" },
      description: "Problem of each invalid field, by its name.",
    },
  },
};

const RETRY_AFTER = {
  "Retry-After": { schema: { type: "string" }, description: "Seconds to wait before the next attempt." },
};

const ERROR_HEADERS: Readonly<Record<string, object>> = {
  401: {
    "WWW-Authenticate": { schema: { type: "string" }, description: "Supported authentication schemes." },
  },
  429: {
    ...RETRY_AFTER,
    "X-RateLimit-Limit": {
      schema: { type: "string" },
      description: "Allowed requests per minute.",
    },
    "X-RateLimit-Remaining": { schema: { type: "string" }, description: "Requests left in this minute." },
    "X-RateLimit-Reset": {
      schema: { type: "string" },
      description: "Unix seconds at which the limit is reset.",
    },
  },
  503: RETRY_AFTER,
};

export function sharedErrorResponses(): Record<string, object> {
  return Object.fromEntries(
    Object.keys(REFUSALS).map((status) => [componentName(status), errorResponse(status)]),
  );
}

export function errorResponses(operation: OperationShape): Record<string, object> {
  const own = operation.errors ?? {};
  const statuses = new Set([...commonStatuses(operation), ...Object.keys(own)]);
  const entries = [...statuses].sort().map((status) => {
    const description = own[Number(status)];
    const response =
      description === undefined
        ? { $ref: `#/components/responses/${componentName(status)}` }
        : { ...errorResponse(status), description: `${description}.` };
    return [status, response] as const;
  });
  return Object.fromEntries(entries);
}

function commonStatuses(operation: OperationShape): string[] {
  const { path, body, deniesUnknownOrg, takesIdempotencyKey } = operation;
  return [
    "400",
    "401",
    "403",
    "429",
    "431",
    "500",
    "503",
    ...(path.includes("{") && !deniesUnknownOrg ? ["404"] : []),
    ...(body ? ["408", "413", "415"] : []),
    ...(takesIdempotencyKey ? ["422"] : []),
  ];
}

function errorResponse(status: string): Record<string, unknown> {
  const { description = "The request was refused.", example } = REFUSALS[Number(status)] ?? {};
  const headers = ERROR_HEADERS[status];
  return {
    description,
    ...(headers && { headers }),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        ...(example && { example }),
      },
    },
  };
}

function componentName(status: string): string {
  return `Error${status}`;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [ETAG_HEADER]: "Identifies the figures. Send it as `If-None-Match` to get 304 while they are the same.",
  [COMPLIANT_HEADER]: "Whether the service evaluated the attestation as compliant: `true` or `false`.",
  [FLOW_CREATED_HEADER]: "Whether the flow did not exist and was created by this request: `true` or `false`.",
  [TEMPLATE_MATCH_HEADER]: [
    "Whether the template of the trail requires what was recorded, form-encoded:",
    "`result=met`; `result=nothing-asked` if it requires nothing of this kind;",
    "or `result=unmet` with the nearest requirement:",
    "`artifact` for an artifact; `attestation`, `type` and optionally `artifact` for an attestation.",
  ].join(" "),
};

export function describeHeaders(names: readonly string[]): Record<string, object> {
  const described = names.map((name) => {
    const description = DESCRIPTIONS[name];
    return [name, { ...(description && { description }), schema: { type: "string" } }] as const;
  });
  return Object.fromEntries(described);
}

const LEAF_DESCRIPTIONS = {
  [LEAF_HEADER]:
    "The sha256 of each event that this request recorded, as `sha256:<hex>`, in order. They are entries of the evidence log. Absent if nothing was recorded, or if the answer repeats an earlier one. At most 16.",
  [EVENT_HEADER]: "The ID of each event of `X-Evidence-Leaf`, in the same order. `getLogProof` proves it.",
};

/** Headers of every write, described once. */
export function leafHeaders(): Record<string, object> {
  const described = Object.entries(LEAF_DESCRIPTIONS).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return Object.fromEntries(described);
}

export function leafHeaderReferences(): Record<string, object> {
  const names = Object.keys(LEAF_DESCRIPTIONS);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
