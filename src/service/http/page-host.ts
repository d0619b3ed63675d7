import type { IncomingMessage } from "node:http";
import type { Answer } from "./error-answer.ts";
import { targetOf } from "./request-head.ts";
import type { RoutedRequest } from "./serve-operation.ts";

export interface ServedPage {
  readonly method: "GET" | "POST";
  /** In Hono's syntax: `/:org/flows/:flow`. */
  readonly path: string;
  /** The page's name in logs and metrics. */
  readonly name: string;
  serve(request: RoutedRequest): Promise<Answer>;
}

export interface PageHost {
  readonly served: readonly ServedPage[];
  failed(error: unknown, request: RoutedRequest): Promise<Answer>;
}

/** Whether the client is a browser. Programs get JSON, as from the API. */
export function isForPeople(incoming: IncomingMessage): boolean {
  const { accept = "" } = incoming.headers;
  return accept.includes("text/html") && !/^\/api(\/|$)/i.test(targetOf(incoming).path);
}
