import * as z from "zod/mini";
import { flowName, trailName } from "../../../../api/names.ts";
import type { Schema } from "../../../../api/wire-names.ts";
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
  readonly trail: string;
  /** Equal for repeats. */
  readonly message: string;
  /** In wire names. */
  readonly body: object;
}

const place = z.object({ flow_name: flowName, trail_name: trailName });

/** The request that records an attestation for a webhook. The flow and trail are created. @throws Invalid */
export function submissionOf<S extends Schema>(
  schema: S,
  { flow, trail, message, body }: Content,
  { hook, org, source }: Received,
) {
  checked(place, { flow_name: flow, trail_name: trail });
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
    params: { flowName: flow, trailName: trail },
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
