import type { IncomingMessage } from "node:http";

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

const WRONG = "Input should be UTF-8 text, percent-encoded";

/** What of a path and its query is not the escaped form of any text, by field. */
export function wrongEscapes({ path, query }: RequestTarget): Record<string, string> {
  const errors = new Map<string, string>();
  if (decoded(path) === undefined) errors.set("path", WRONG);
  for (const parameter of query.split("&")) {
    const [name = ""] = parameter.split("=", 1);
    if (decoded(parameter) !== undefined) continue;
    const field = decoded(name.replaceAll("+", " "));
    errors.set(field === undefined ? "query" : `query.${field}`, WRONG);
  }
  return Object.fromEntries(errors);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
