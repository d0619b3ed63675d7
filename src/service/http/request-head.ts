import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SPOOLED_BY_HEADER } from "../../api/resources/origin.ts";
import { type FieldErrors, Invalid } from "../kernel/errors.ts";

/** The requested path and query as sent, without decoding. */
export interface RequestTarget {
  path: string;
  query: string;
}

/** A request names a path, or a whole URL like requests to a proxy. */
const TARGET = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i;

export function targetOf({ url = "/" }: Pick<IncomingMessage, "url">): RequestTarget {
  const [, path = "", query = ""] = TARGET.exec(url) ?? [];
  return { path: path === "" ? "/" : path, query };
}

/** Finds steps such as `..`, escaped or not, which would lead to another resource. */
export function hasDotSegments({ path }: RequestTarget): boolean {
  return path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}

/** Paths that end with a token. */
const WITH_TOKEN = /^(\/+(?:share|invitations)\/+|\/+api\/+[^/]+\/+webhooks\/+admission\/+)[^/]/i;

/** The path for the log, without the token in it. The router decodes the path before it matches. */
export function loggedPath({ path }: RequestTarget): string {
  const plain = path.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
  const [, shared] = WITH_TOKEN.exec(plain) ?? [];
  return shared === undefined ? path : `${shared}:token`;
}

const WRONG = "Input should be UTF-8 text, percent-encoded";

/** Errors for the parts of a path and query that are not valid percent-encoded text, by field. */
export function wrongEscapes({ path, query }: RequestTarget): FieldErrors {
  const errors = new Map<string, string>();
  if (decoded(path) === undefined) errors.set("path", WRONG);
  for (const parameter of query.split("&")) {
    const [name = ""] = parameter.split("=", 1);
    if (decoded(parameter) !== undefined) continue;
    const field = decoded(name.replaceAll("+", " "));
    errors.set(field === undefined ? "query" : `query.${field}`, WRONG);
  }
  return { errors: Object.fromEntries(errors), count: errors.size };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

const known = new WeakMap<IncomingMessage, string>();

/**
 * The id that the service assigns to a request. A client cannot choose it. Not hono's `requestId`,
 * which accepts the client's id and misses requests that are refused before hono.
 */
export function requestIdOf(request: IncomingMessage): string {
  const id = known.get(request) ?? newRequestId();
  known.set(request, id);
  return id;
}

export function clientRequestIdOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && ACCEPTED.test(sent) ? sent : undefined;
}

export function shownRequestIdOf(request: IncomingMessage): string {
  return clientRequestIdOf(request) ?? requestIdOf(request);
}

export function newRequestId(): string {
  return randomUUID();
}

/** Headers allowed once. With several values, a proxy may use another one than this service. */
const SINGLE = ["Host", "Authorization", "Content-Type"];

/** @throws Invalid */
export function refuseRepeatedHeaders({ headersDistinct }: IncomingMessage): void {
  for (const name of SINGLE) {
    if ((headersDistinct[name.toLowerCase()]?.length ?? 0) > 1) {
      throw new Invalid("request.header_invalid", `The header ${name} was sent more than once`);
    }
  }
}

const MAX_SPOOLED_BY = 1000;

/** The run that created a request's content, if the request names one: one line, never empty. */
export function spooledByOf({ headers }: IncomingMessage): string | undefined {
  const header = headers[SPOOLED_BY_HEADER.toLowerCase()];
  if (header === undefined) return undefined;
  const text = (decoded(String(header)) ?? String(header))
    .slice(0, MAX_SPOOLED_BY)
    .replaceAll(/\p{C}/gu, " ")
    .trim();
  return text === "" ? "another run" : text;
}
