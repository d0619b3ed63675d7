import type { IncomingMessage } from "node:http";
import type { FieldErrors } from "../kernel/errors.ts";

/** Where a request goes, as it was sent: nothing of it is decoded. */
export interface RequestTarget {
  path: string;
  /** What follows the question mark. */
  query: string;
}

/** A request names a path, or a whole address as requests to a proxy do. */
const TARGET = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i;

export function targetOf({ url = "/" }: Pick<IncomingMessage, "url">): RequestTarget {
  const [, path = "", query = ""] = TARGET.exec(url) ?? [];
  return { path: path === "" ? "/" : path, query };
}

/**
 * Whether a path has steps such as `..`, escaped or not. They would be taken before it is routed, and lead to another
 * resource than the one that is named.
 */
export function hasDotSegments({ path }: RequestTarget): boolean {
  return path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}

/** The path for the log, without the token of a shared page. The router decodes the path before it matches. */
export function loggedPath({ path }: RequestTarget): string {
  const plain = path.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
  const [, shared] = /^(\/+share\/+)[^/]/i.exec(plain) ?? [];
  return shared === undefined ? path : `${shared}:token`;
}

const WRONG = "Input should be UTF-8 text, percent-encoded";

/** What of a path and its query is not the escaped form of any text, by field. */
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
