import { parseJson } from "../../../api/json.ts";
import { GITHUB_ISSUER, WORKFLOW_ROLES } from "../../../api/resources/trust-policies.ts";
import { asObject, asObjects } from "../../../api/untyped.ts";
import type { GivenTo } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { area, choice, field } from "../parts/form.ts";
import { type Html, html } from "../parts/html.ts";
import { dayOf } from "../parts/period.ts";
import { scopeFields, scopeIn } from "../parts/scope.ts";
import { dayEnd } from "../parts/time.ts";
import { invalidField } from "../refused-form.ts";
import { idTexts, type Policy } from "./trust-policy-state.ts";

type Body = GivenTo<"updateTrustPolicy">["body"];

export function policyFields(policy: Policy | undefined, request: PageRequest): Html {
  const reach = policy && !policy.flows && !policy.environments ? "all" : "named";
  const typed = (name: string, value: string | null | undefined, label: string, hint?: string) =>
    field({ name, label, value: value ?? "", hint }, request);
  return html`${typed("repository", policy?.repository, "Repository", "acme/web, or acme/* for every repository of the owner")}
${scopeFields(policy ?? {}, reach, request)}
${choice(
  {
    name: "role",
    label: "Role",
    value: policy?.role ?? "member",
    options: WORKFLOW_ROLES,
  },
  request,
)}
<details${hasConditions(policy, request) ? html` open` : ""}><summary>Further conditions</summary>
${typed("repository_id", policy?.repositoryId, "Repository id", "If empty, the first use within 24 hours sets it")}
${typed("repository_owner_id", policy?.repositoryOwnerId, "Owner id")}
${typed("service_account", policy?.serviceAccount, "Kubernetes service account", "namespace/name, in place of a repository")}
${typed("service_account_uid", policy?.serviceAccountUid, "Service account UID", "If empty, the first use within 24 hours sets it")}
${typed("project", policy?.project, "Project or pipeline", "At GitLab, Azure Pipelines, CircleCI, Buildkite or Bitbucket, in place of a repository")}
${area({ name: "project_ids", label: "Project ids", hint: "One per line, such as project_id=7. If empty, the first use within 24 hours sets them.", value: idTexts(policy?.projectIds ?? {}).join("\n") }, request)}
${area({ name: "jwks", label: "Keys of the token issuer", hint: "Output of kubectl get --raw /openid/v1/jwks. Only for an issuer that the service cannot reach.", value: policy?.jwks ? JSON.stringify(policy.jwks) : "" }, request)}
${claimFields(policy?.claims ?? {}, request)}</details>
${typed("description", policy?.description, "Description")}
${field(
  {
    name: "until",
    label: "Last day (optional)",
    type: "date",
    fills: "expires_at",
    value: lastDayOf(policy),
  },
  request,
)}
${field({ name: "issuer", label: "Token issuer", value: policy?.issuer ?? GITHUB_ISSUER, isRequired: true }, request)}`;
}

function hasConditions(policy: Policy | undefined, { entered }: PageRequest): boolean {
  const names = [
    ...["repository_id", "repository_owner_id", "service_account", "service_account_uid"],
    ...["project", "project_ids", "jwks"],
    ...["ref", "event", "environment", "workflow", "claims"],
  ];
  return policy !== undefined || names.some((name) => entered(name) !== "");
}

/** @param before the current policy @throws Invalid */
export function policyIn(sent: URLSearchParams, before?: Policy): Body {
  const typed = (name: string) => (sent.get(name) ?? "").trim();
  const isSameDay = before !== undefined && typed("until") === lastDayOf(before);
  return {
    description: typed("description"),
    issuer: typed("issuer"),
    repository: typed("repository") || null,
    repositoryId: typed("repository_id") || null,
    repositoryOwnerId: typed("repository_owner_id") || null,
    serviceAccount: typed("service_account") || null,
    serviceAccountUid: typed("service_account_uid") || null,
    project: typed("project") || null,
    projectIds: idsIn(typed("project_ids")),
    jwks: keysIn(typed("jwks")),
    claims: claimsIn(sent),
    role: roleIn(typed("role")),
    ...scopeIn(sent),
    expiresAt: (isSameDay ? before.expiresAt : dayEnd(sent, "until")) ?? null,
    enabled: before?.enabled ?? true,
  };
}

/** The body that saves a policy unchanged. */
export function bodyOf({ role, ...policy }: Policy): Body {
  const { description, issuer, repository, repositoryId, repositoryOwnerId, claims } = policy;
  const { serviceAccount, serviceAccountUid, project, projectIds, jwks } = policy;
  const { flows = null, environments = null, expiresAt, enabled } = policy;
  return {
    ...{ description, issuer, repository, repositoryId, repositoryOwnerId, claims, role: roleIn(role) },
    ...{
      serviceAccount,
      serviceAccountUid,
      project,
      projectIds,
      jwks,
      flows,
      environments,
      expiresAt,
      enabled,
    },
  };
}

/** @throws Invalid for a line that is not an id */
function idsIn(typed: string): Body["projectIds"] {
  const lines = typed.split("\n").map((each) => each.trim());
  const ids = lines.filter(Boolean).map((line) => {
    const [, claim = "", id = ""] = /^([^=\s]+)\s*=\s*(\S+)$/.exec(line) ?? [];
    if (id === "")
      throw invalidField("project_ids", `'${line}' is not an id: write name=value, such as project_id=7`);
    return [claim, id];
  });
  return ids.length === 0 ? null : Object.fromEntries(ids);
}

/** @throws Invalid for anything but a key set */
function keysIn(typed: string): Body["jwks"] {
  if (typed === "") return null;
  const { keys } = asObject(parseJson(typed)?.value);
  if (!Array.isArray(keys)) throw invalidField("jwks", 'Enter the keys as JSON, such as {"keys": […]}');
  return { keys: asObjects(keys).map((key) => ({ ...key })) };
}

function roleIn(typed: string): (typeof WORKFLOW_ROLES)[number] {
  const role = WORKFLOW_ROLES.find((each) => each === typed);
  if (role === undefined) throw invalidField("role", `'${typed}' is not a role for workflows`);
  return role;
}

/** The last whole day, for a date field; empty for a policy that does not expire. */
function lastDayOf(policy: Pick<Policy, "expiresAt"> | undefined): string {
  if (typeof policy?.expiresAt !== "number") return "";
  return dayOf(policy.expiresAt - 1);
}

type Claims = Policy["claims"];

/** Claims with their own field. The others are lines of one field. */
const OWN = [
  { name: "ref", claim: "ref", label: "Ref", hint: "refs/heads/main, or refs/tags/v*" },
  {
    name: "event",
    claim: "event_name",
    label: "Event",
    hint: "push; events that outsiders can trigger, such as pull_request, must be listed here",
  },
  { name: "environment", claim: "environment", label: "GitHub environment", hint: "production" },
  {
    name: "workflow",
    claim: "job_workflow_ref",
    label: "Workflow",
    hint: "acme/ci/.github/workflows/build.yml@*",
  },
] as const;

function claimFields(claims: Claims, request: PageRequest): Html {
  const rest = new Map(Object.entries(claims).map(([claim, wanted]) => [claim, [wanted].flat()]));
  const own = OWN.map(({ name, claim, label, hint }) => {
    const first = rest.get(claim)?.shift() ?? "";
    return field({ name, label, hint, value: first, fills: `claims.${claim}` }, request);
  });
  const lines = [...rest].flatMap(([claim, wanted]) => wanted.map((each) => `${claim}=${each}\n`));
  return html`${own}${area(
    {
      name: "claims",
      label: "Further claims",
      hint: "One per line, such as runner_environment=github-hosted. Repeat a claim to allow alternatives. * matches any characters.",
      value: lines.join(""),
    },
    request,
  )}`;
}

/** @throws Invalid for a line that is not a claim */
function claimsIn(sent: URLSearchParams): Claims {
  const claims = new Map<string, string[]>();
  const add = (claim: string, wanted: string) => claims.set(claim, [...(claims.get(claim) ?? []), wanted]);
  for (const { name, claim } of OWN) {
    const wanted = (sent.get(name) ?? "").trim();
    if (wanted !== "") add(claim, wanted);
  }
  for (const line of (sent.get("claims") ?? "").split("\n").map((each) => each.trim())) {
    const [, claim = "", wanted = ""] = /^([^=]+)=(.+)$/.exec(line) ?? [];
    if (line !== "" && wanted === "")
      throw invalidField(
        "claims",
        `'${line}' is not a claim: write name=value, such as runner_environment=github-hosted`,
      );
    if (wanted !== "") add(claim.trim(), wanted.trim());
  }
  return Object.fromEntries(
    [...claims].map(([claim, wanted]) => [claim, wanted.length === 1 ? (wanted[0] ?? "") : wanted]),
  );
}
