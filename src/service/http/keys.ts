import type { IncomingMessage } from "node:http";
import { publishedKeys } from "../events/statements/published-keys.ts";
import type { Answer } from "./error-answer.ts";
import type { Served } from "./serve-operation.ts";

export const KEYS_PATH = "/.well-known/evidence-keys.json";

/** Serves the public keys of statements without authentication. */
export async function serveKeys(
  incoming: IncomingMessage,
  { context: { store }, admission: { rateLimits } }: Served,
): Promise<Answer> {
  rateLimits.visit(incoming);
  return {
    status: 200,
    headers: { "cache-control": "public, max-age=60" },
    body: await publishedKeys(store.read),
  };
}
