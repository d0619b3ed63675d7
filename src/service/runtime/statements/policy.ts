import { hash } from "node:crypto";
import type { Descriptor } from "../../../evidence/provenance/statements/statement.ts";
import type { FlowReport } from "../../evidence/compliance/latest-reports.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { Links } from "../../kernel/links.ts";
import type { Call } from "../../operation/handler.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { requireEnvironment } from "../environments/records.ts";
import { type PolicyVersion, policiesFor, requirePolicies } from "../policies/versions.ts";

type Params = Call<"stateVerdict">["params"];

interface Decided {
  /** The policy as a statement names it. */
  readonly policy: Descriptor;
  /** IDs of the places that the caller named. */
  readonly ids: readonly (string | null)[];
}

/**
 * The rules of a verdict: policies, or the templates of the reports' trails. The digest is that of the file as it was
 * uploaded. Several files have one digest, of their digests.
 */
export async function decidedBy(
  db: Database,
  { org, params, links }: { org: Organization; params: Params; links: Links },
  reports: readonly FlowReport[],
): Promise<Decided> {
  const { flowName, environmentName, policyName } = params;
  const [first] = reports;
  const flow = reports.length === 1 ? first?.flow : undefined;
  const flowId = flowName === undefined ? null : (flow?.id ?? null);
  if (policyName !== undefined) {
    const policies = await requirePolicies(db, org, policyName);
    const uri = policyUri(policies, { org, links }) ?? links.organization(org.name);
    return {
      policy: { uri, digest: await digestOfPolicies(db, policies) },
      ids: [flowId, ...idsOf(policies)],
    };
  }
  if (environmentName === undefined) {
    const uri = flow ? links.flow(org.name, flow.name) : links.organization(org.name);
    return { policy: { uri, digest: await digestOfTemplates(db, reports) }, ids: [flowId] };
  }
  const environment = await requireEnvironment(db, org, environmentName);
  const policies = await policiesFor(db, environment);
  const digest = await (policies.length === 0
    ? digestOfTemplates(db, reports)
    : digestOfPolicies(db, policies));
  const uri = links.environment(org.name, environment.name);
  return { policy: { uri, digest }, ids: [flowId, environment.id, null] };
}

function policyUri(
  [policy, ...others]: readonly PolicyVersion[],
  { org, links }: { org: Organization; links: Links },
): string | undefined {
  return policy && others.length === 0 ? links.policy(org.name, policy.name) : undefined;
}

async function digestOfPolicies(db: Database, policies: readonly PolicyVersion[]) {
  const rows = await db
    .selectFrom("policies")
    .innerJoin("policy_versions", (join) =>
      join
        .onRef("policy_versions.policy_id", "=", "policies.id")
        .onRef("policy_versions.version", "=", "policies.version"),
    )
    .select("policy_versions.source")
    .where("policies.id", "in", listed(idsOf(policies)))
    .execute();
  return digestOf(rows.map(({ source }) => source));
}

/** Templates that were not uploaded as a file have the digest of their JSON. */
async function digestOfTemplates(db: Database, reports: readonly FlowReport[]) {
  const trailIds = reports.flatMap(({ trail }) => trail?.id ?? []);
  const rows = await db
    .selectFrom("trails")
    .select(["template", "template_source"])
    .where("id", "in", listed(trailIds))
    .execute();
  const withoutTrail = reports.flatMap(({ trail, flow }) => (trail === null ? [flow.template] : []));
  return digestOf([...rows.map((row) => row.template_source ?? row.template), ...withoutTrail]);
}

function digestOf(texts: readonly string[]): { sha256: string } {
  const digests = [...new Set(texts.map((text) => hash("sha256", text)))].sort();
  const [only = "", ...others] = digests;
  return { sha256: others.length === 0 ? only : hash("sha256", `${digests.join("\n")}\n`) };
}
