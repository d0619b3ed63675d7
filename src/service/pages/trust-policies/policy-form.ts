import { html } from "hono/html";
import { GITHUB_ISSUER, WORKFLOW_ROLES } from "../../../api/resources/trust-policies.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { GivenTo } from "../ask.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { dayEnd } from "../parts/day.ts";
import { choice, field } from "../parts/field.ts";
import { claimFields, claimsIn } from "./claim-fields.ts";
import type { Policy } from "./policy-state.ts";

type Body = GivenTo<"updateTrustPolicy">["body"];

/** The fields that say whom a trust policy trusts, and with what: as they are typed, or as it has them. */
export function policyFields(policy: Policy | undefined, request: Pick<PageRequest, "kept">): Html {
  const { kept } = request;
  const reach = policy && !policy.flows && !policy.environments ? "all" : "named";
  return html`${field({
    name: "repository",
    label: "Repository",
    hint: "acme/web, or acme/* for every repository of the owner",
    value: kept("repository", policy?.repository ?? ""),
  })}
${choice({
  name: "reach",
  label: "What it is for",
  value: kept("reach", reach),
  options: [
    ["named", "The flows and environments that are named here"],
    ["all", "Every flow and environment"],
  ],
})}
${field({ name: "flows", label: "Flows", hint: "web, api", value: kept("flows", policy?.flows?.join(", ") ?? "") })}
${field({
  name: "environments",
  label: "Environments of the service",
  hint: "production, staging",
  value: kept("environments", policy?.environments?.join(", ") ?? ""),
})}
${choice({
  name: "role",
  label: "Role",
  value: kept("role", policy?.role ?? "member"),
  options: WORKFLOW_ROLES.map((role) => [role, role] as const),
})}
<details${hasConditions(policy, request) ? html` open` : ""}><summary>Further conditions</summary>
${field({
  name: "repository_id",
  label: "Id of the repository",
  hint: "Empty keeps that of the first use, within 24 hours",
  value: kept("repository_id", policy?.repositoryId ?? ""),
})}
${field({
  name: "repository_owner_id",
  label: "Id of its owner",
  value: kept("repository_owner_id", policy?.repositoryOwnerId ?? ""),
})}
${claimFields(policy?.claims ?? {}, request)}</details>
${field({ name: "description", label: "Description", value: kept("description", policy?.description ?? "") })}
${field({
  name: "until",
  label: "Last day; empty for one that does not end",
  type: "date",
  value: kept("until", lastDayOf(policy)),
})}
${field({ name: "issuer", label: "Who signs its tokens", value: kept("issuer", policy?.issuer ?? GITHUB_ISSUER), isRequired: true })}`;
}

/** What a policy has stands open, and so does what was typed. */
function hasConditions(policy: Policy | undefined, { kept }: Pick<PageRequest, "kept">): boolean {
  const names = ["repository_id", "repository_owner_id", "ref", "event", "environment", "workflow", "claims"];
  return policy !== undefined || names.some((name) => kept(name) !== "");
}

/**
 * What a form says of a trust policy.
 *
 * @param before as it is now, where it is there already
 * @throws Invalid
 */
export function policyIn(sent: URLSearchParams, before?: Policy): Body {
  const typed = (name: string) => (sent.get(name) ?? "").trim();
  const isSameDay = before !== undefined && typed("until") === lastDayOf(before);
  return {
    description: typed("description"),
    issuer: typed("issuer"),
    repository: typed("repository") || null,
    repositoryId: typed("repository_id") || null,
    repositoryOwnerId: typed("repository_owner_id") || null,
    claims: claimsIn(sent),
    role: roleIn(typed("role")),
    ...reachIn(sent),
    expiresAt: (isSameDay ? before.expiresAt : dayEnd(typed("until"))) ?? null,
    enabled: before?.enabled ?? true,
  };
}

/** A policy as it is, to be put again. */
export function bodyOf({ role, ...policy }: Policy): Body {
  const { description, issuer, repository, repositoryId, repositoryOwnerId, claims } = policy;
  const { flows = null, environments = null, expiresAt, enabled } = policy;
  return {
    ...{ description, issuer, repository, repositoryId, repositoryOwnerId, claims, role: roleIn(role) },
    ...{ flows, environments, expiresAt, enabled },
  };
}

function roleIn(typed: string): (typeof WORKFLOW_ROLES)[number] {
  const role = WORKFLOW_ROLES.find((each) => each === typed);
  if (role === undefined) throw new Invalid(`'${typed}' is not a role of workflows`);
  return role;
}

/** Nothing is for everything because a field was left empty. */
function reachIn(sent: URLSearchParams): Pick<Body, "flows" | "environments"> {
  if (sent.get("reach") === "all") return { flows: null, environments: null };
  const named = (name: string) =>
    (sent.get(name) ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
  const [flows, environments] = [named("flows"), named("environments")];
  if (flows.length + environments.length === 0)
    throw new Invalid("Name the flows or the environments that it is for, or choose all of them");
  return { flows, environments };
}

/** The last whole day, as a date field has it; empty for a policy that does not end. */
function lastDayOf(policy: Pick<Policy, "expiresAt"> | undefined): string {
  if (typeof policy?.expiresAt !== "number") return "";
  return new Date((policy.expiresAt - 1) * 1000).toISOString().slice(0, 10);
}
