import type { IncomingMessage } from "node:http";
import { HOOK_KINDS, type HookKind } from "../../api/resources/hooks.ts";
import { receiveWebhook } from "../evidence/attestations/hooks/receive.ts";
import type { RequestSource } from "../kernel/caller.ts";
import { Unproven } from "../kernel/errors.ts";
import type { Answer } from "./error-answer.ts";
import { readSmallBytes } from "./receive.ts";
import type { Served } from "./serve-operation.ts";

/** Maximum size of a webhook, in bytes. */
const MAX_BYTES = 1024 * 1024;

const SIGNATURE_HEADERS: Readonly<Record<HookKind, string>> = {
  sonar: "x-sonar-webhook-hmac-sha256",
  "launch-darkly": "x-ld-signature",
};

interface WebhookRequest {
  readonly incoming: IncomingMessage;
  readonly source: RequestSource;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Paths of webhooks below the base path, with what serves them. They are no operations, because other systems send them. */
export function webhookPaths({ context, admission: { rateLimits } }: Served) {
  return HOOK_KINDS.map((kind) => ({
    path: `/webhooks/${kind}/:hook_uid`,
    async serve({ incoming, source, pathParams }: WebhookRequest): Promise<Answer> {
      rateLimits.visit(incoming);
      const bytes = await readSmallBytes(incoming, MAX_BYTES);
      const signature = incoming.headers[SIGNATURE_HEADERS[kind]];
      const id = pathParams["hook_uid"] ?? "";
      const sent = { kind, id, bytes, signature: typeof signature === "string" ? signature : undefined };
      try {
        const message = await receiveWebhook(sent, source, context);
        return { status: 200, headers: {}, body: JSON.stringify({ message }) };
      } catch (error) {
        if (error instanceof Unproven) rateLimits.refuse(incoming);
        throw error;
      }
    },
  }));
}
