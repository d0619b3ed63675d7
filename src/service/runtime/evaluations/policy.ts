import type { EvaluationRequest } from "../../../api/resources/evaluations.ts";
import type { PolicyFiles } from "../../../evidence/rego/policy-files.ts";
import { requireFiles } from "../../evidence/controls/policies/files.ts";
import { filesOf, type PolicyVersion, requirePolicy } from "../../evidence/controls/policies/records.ts";
import type { Organization } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { Database } from "../../store/tables.ts";

/** The policy of a request, before it is looked up. */
export type GivenPolicy =
  | { readonly files: PolicyFiles }
  | { readonly identifier: string; readonly version: number | undefined };

export interface UsedPolicy {
  readonly files: PolicyFiles;
  /** The version of the decision policy, if the files are published. */
  readonly published: PolicyVersion | undefined;
}

/** @throws Invalid unless either valid files or an identifier is given */
export function policyIn({ files, identifier, version }: EvaluationRequest["policy"]): GivenPolicy {
  if (files === undefined && identifier !== undefined) return { identifier, version };
  if (files === undefined || identifier !== undefined)
    throw invalidInput({ policy: "Give either files or the identifier of a decision policy" });
  if (version !== undefined)
    throw invalidInput({ "policy.version": "Give the identifier of a decision policy" });
  requireFiles(files, "policy.files");
  return { files };
}

/** Looks up a published policy. @throws NotFound */
export async function requireUsable(
  db: Database,
  org: Organization,
  given: GivenPolicy,
): Promise<UsedPolicy> {
  if ("files" in given) return { files: given.files, published: undefined };
  const published = await requirePolicy(db, org, given.identifier, given.version);
  return { files: await filesOf(db, published), published };
}
