import { getDecisionPolicy } from "../../api/resources/decision-policies.ts";
import type { Enforcement } from "../../evidence/rego/decision-outcome.ts";
import type { PolicyFiles } from "../../evidence/rego/policy-files.ts";
import { readPolicy } from "../../evidence/rego/read-policy.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { adviseMissing } from "../missing-advice.ts";

/** A path in the workspace, or a published decision policy. */
export type GivenPolicy =
  | { readonly path: string }
  | { readonly identifier: string; readonly version: number | undefined };

export interface UsedPolicy {
  /** For messages. */
  readonly name: string;
  readonly files: PolicyFiles;
  /** Path in the repository of a file, for annotations. Files of published policies have none. */
  readonly placeOf?: (file: string) => string;
  /** The version, if the policy is published. */
  readonly published?: { readonly identifier: string; readonly version: number };
  readonly enforcement: Enforcement;
}

/** The denials of policies that are not published always count. */
const BINDING: Enforcement = { warnOnly: false, effectiveFrom: null };

/** @throws {InputError} (`policy`) */
export async function readOwnPolicy(path: string, workspace: string): Promise<UsedPolicy> {
  return { name: path, ...(await readPolicy(path, workspace)), enforcement: BINDING };
}

/** Reads a published policy. Undefined in a dry run. */
export async function readPublishedPolicy(
  { identifier, version }: { readonly identifier: string; readonly version: number | undefined },
  { call }: Pick<ActionContext, "call">,
): Promise<UsedPolicy | undefined> {
  const request = { identifier, ...(version !== undefined && { version }) };
  const reply = await call(getDecisionPolicy, request).catch((error: unknown) => {
    throw adviseMissing(error, "Publish the decision policy, or correct `policy-id`.");
  });
  if (reply === undefined) return undefined;
  const { files = {}, warnOnly, effectiveFrom, ...read } = reply.body;
  return {
    name: `${identifier}@${read.version}`,
    files,
    published: { identifier, version: read.version },
    enforcement: { warnOnly, effectiveFrom },
  };
}
