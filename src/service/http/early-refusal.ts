import type { IncomingMessage } from "node:http";
import type { RequestSummary } from "../kernel/log.ts";
import { headersOf } from "./answer-headers.ts";
import type { ClientAddresses } from "./client-address.ts";
import { errorAnswer } from "./error-answer.ts";
import { loggedPath, targetOf } from "./request-head.ts";
import { clientRequestIdOf, newRequestId, requestIdOf, shownRequestIdOf } from "./request-id.ts";

/** Where a refusal is written down. */
export interface RefusalLog {
  /** Takes what is to be said of each request that is refused. */
  readonly record: (request: RequestSummary) => void;
  readonly proxies: ClientAddresses;
}

/** An answer with all its headers. */
export interface WholeAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Refuses what does not get as far as the application, and writes it down as the application would. Without a
 * request, since none could be read, there is nothing to say of it.
 */
export function refuseEarly(
  error: unknown,
  request: IncomingMessage | undefined,
  { record, proxies }: RefusalLog,
): WholeAnswer {
  const requestId = request ? requestIdOf(request) : newRequestId();
  const answer = errorAnswer(error, requestId);
  const { status } = answer;
  record({
    method: request?.method ?? "-",
    path: request ? loggedPath(targetOf(request)) : "-",
    status,
    milliseconds: 0,
    requestId,
    clientRequestId: request && clientRequestIdOf(request),
    from: request && proxies.clientOf(request),
    ...(status >= 500 ? { error } : {}),
  });
  const body = String(answer.body);
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: {
      ...headersOf(answer, request ? shownRequestIdOf(request) : requestId),
      "content-length": length,
    },
    body,
  };
}
