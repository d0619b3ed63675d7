import * as z from "zod/mini";
import { flowName, trailName } from "../../../../api/names.ts";
import { longText } from "../../../../api/texts.ts";
import { type Schema, toWire } from "../../../../api/wire-names.ts";
import type { Caller, Organization, RequestSource } from "../../../kernel/caller.ts";
import { invalidInput } from "../../../kernel/errors.ts";
import { validate } from "../../../kernel/validate.ts";
import type { ServiceContext } from "../../../operation/context.ts";
import { requestHash } from "../../../operation/idempotency.ts";
import type { Hook } from "./records.ts";

/** A webhook with a valid signature. */
export interface Received {
  readonly hook: Hook;
  readonly org: Organization;
  readonly source: RequestSource;
  /** Writes only records of the organization. */
  readonly context: ServiceContext;
}

interface Content {
  readonly flow: string;
  /** Description of the flow, if it is created. */
  readonly flowDescription?: string | undefined;
  readonly trail: string;
  /** Description of the trail, if it is created. */
  readonly trailDescription?: string | undefined;
  /** Equal for repeats. */
  readonly message: string;
  /** In wire names. */
  readonly body: object;
}

const place = z.object({
  flow_name: flowName,
  flow_description: z.optional(longText),
  trail_name: trailName,
  trail_description: z.optional(longText),
});

/** The request that records an attestation for a webhook. The flow and trail are created. @throws Invalid */
export function submissionOf<S extends Schema>(
  schema: S,
  { message, body, ...names }: Content,
  { hook, org, source }: Received,
) {
  const params = {
    flowName: names.flow,
    flowDescription: names.flowDescription,
    trailName: names.trail,
    trailDescription: names.trailDescription,
  };
  checked(place, toWire(place, params));
  const caller: Caller = {
    ...{ keyId: hook.api_key_id, accountId: hook.account_id, orgId: org.id },
    // No account can have this name.
    accountName: `hook ${hook.name}`,
    ...{ role: "attester", scope: null },
  };
  const content = ["hook", hook.id, message];
  const identity = {
    apiKeyId: hook.api_key_id,
    idempotencyKey: requestHash(content),
    proof: undefined,
    hash: () => requestHash(content),
  };
  return {
    ...{ org, source, caller, identity },
    params,
    body: checked(schema, body),
    files: { attachmentFile: [] },
  };
}

/** @throws Invalid */
function checked(schema: Schema, input: unknown): unknown {
  const result = validate(schema, input, { root: "body" });
  if ("errors" in result) throw invalidInput(result.errors, { count: result.count });
  return result.value;
}

/** A name for a flow or trail: other characters become `-`. Empty if nothing remains. */
export function asName(text: string): string {
  return text
    .replace(/[^a-zA-Z0-9.\-_~]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "")
    .slice(0, 255);
}
