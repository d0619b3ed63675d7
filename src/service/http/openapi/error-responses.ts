import type { OperationShape } from "../../../api/operation.ts";

/** The statuses that refuse a request, with what they mean and what is said. */
const REFUSALS: Readonly<Record<number, { description: string; example: object }>> = {
  400: {
    description:
      "The path, the query or the body breaks a rule of the interface; `errors` says which, by field. At most 100 are listed, and the message says how many more there are. JSON of more than 4,000,000 values is refused as well.",
    example: {
      message: "Input payload validation failed",
      errors: { "query.per_page": "Input should be less than or equal to 50 [input: 51]" },
    },
  },
  401: {
    description: "No credentials were sent, or they are not known, expired or of another scheme.",
    example: { message: "Unauthorized: the API key is not known" },
  },
  403: {
    description: "The key is of another organization, or its account has a role that does not allow this.",
    example: { message: "You don't have permission to access this resource" },
  },
  404: {
    description: "Something that the request names does not exist.",
    example: { message: "Organization 'acme' does not exist" },
  },
  408: {
    description: "The body did not arrive in time, or more slowly than 50 kB/s after 30 seconds.",
    example: { message: "The request did not arrive in time" },
  },
  409: {
    description: "Another request stands in the way; trying again helps unless it is said otherwise.",
    example: { message: "Another request is changing the same record: try again" },
  },
  413: {
    description: "The body or one of its parts is larger than the limit.",
    example: { message: "attachment 'report.html' is 11.2 MB; the limit is 10 MB" },
  },
  415: {
    description: "The body is compressed or of another type than the interface has.",
    example: { message: "Content-Encoding 'gzip' is not supported" },
  },
  422: {
    description: "The `Idempotency-Key` was used with another request.",
    example: { message: "Idempotency-Key was used with another request" },
  },
  429: {
    description: "Too many requests with this key or from this address, or too many failed logins.",
    example: {
      message: "Too many requests with this API key: at most 60000 a minute; try again in 1 s",
    },
  },
  431: {
    description: "The address and the headers of the request are larger than the limit.",
    example: { message: "The address and the headers of the request are larger than the limit of 16 kB" },
  },
  500: {
    description: "The service failed; its log tells why under the request's id.",
    example: { message: "The service failed; its log says why under request id 3f0c" },
  },
  503: {
    description:
      "The service cannot serve just now, such as when it has no memory for another body; trying again helps, after `Retry-After` seconds where it says so.",
    example: { message: "The records cannot be read or written just now: try again" },
  },
};

export const ERROR_SCHEMA = {
  type: "object",
  required: ["message"],
  properties: {
    message: { type: "string", description: "What is wrong, for people." },
    errors: {
      type: ["object", "null"],
      additionalProperties: { type: "string" },
      description: "What is wrong by field, where fields are to blame.",
    },
  },
};

const RETRY_AFTER = {
  "Retry-After": { schema: { type: "string" }, description: "How many seconds to wait." },
};

const ERROR_HEADERS: Readonly<Record<string, object>> = {
  401: { "WWW-Authenticate": { schema: { type: "string" }, description: "The schemes that are taken." } },
  429: {
    ...RETRY_AFTER,
    "X-RateLimit-Limit": {
      schema: { type: "string" },
      description: "How many requests a minute there may be.",
    },
    "X-RateLimit-Remaining": { schema: { type: "string" }, description: "How many there may be just now." },
    "X-RateLimit-Reset": {
      schema: { type: "string" },
      description: "When all of them may be made again, in Unix seconds.",
    },
  },
  503: RETRY_AFTER,
};

/** The error answers by name, as operations refer to them. */
export function sharedErrorResponses(): Record<string, object> {
  return Object.fromEntries(
    Object.keys(REFUSALS).map((status) => [componentName(status), errorResponse(status)]),
  );
}

/** The errors an operation may answer: those every one may, and its own. */
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
