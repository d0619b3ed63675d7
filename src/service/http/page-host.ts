import type { IncomingMessage } from "node:http";
import type { Answer } from "./error-answer.ts";
import { targetOf } from "./request-head.ts";
import type { RoutedRequest } from "./serve-operation.ts";

export interface ServedPage {
  readonly method: "GET" | "POST";
  /** As Hono writes them: `/:org/flows/:flow`. */
  readonly path: string;
  /** What the log and the metrics call it. */
  readonly name: string;
  serve(request: RoutedRequest): Promise<Answer>;
}

export interface PageHost {
  readonly served: readonly ServedPage[];
  failed(error: unknown, request: RoutedRequest): Promise<Answer>;
}

/** Whether somebody is to read the answer: browsers say so. Programs are answered in JSON, as by the interface. */
export function isForPeople(incoming: IncomingMessage): boolean {
  const { accept = "" } = incoming.headers;
  return accept.includes("text/html") && !/^\/api(\/|$)/i.test(targetOf(incoming).path);
}
