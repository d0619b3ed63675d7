import type { Answer } from "./error-answer.ts";

/** The headers that an answer goes out with: its own, and those that every answer has. */
export function headersOf({ headers }: Pick<Answer, "headers">, requestId: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...headers,
    "x-request-id": requestId,
  };
}
