import { call } from "../api/client/call.ts";
import {
  createTrustPolicy,
  GITHUB_ISSUER,
  type TrustPolicyRecord,
  WORKFLOW_ROLES,
} from "../api/resources/trust-policies.ts";
import { CONNECTION_OPTIONS, openConnection } from "./connection-options.ts";
import { futureTime, options, parse, type Terminal, UsageError, type ValuesOf } from "./usage.ts";

const OPTIONS = {
  ...options(
    ["role", "name", "repository-id", "owner-id", "issuer", "expires", "description"],
    ["flow", "environment", "ref", "event", "github-environment", "workflow", "claim"],
  ),
  ...CONNECTION_OPTIONS,
};

type Role = (typeof WORKFLOW_ROLES)[number];

export async function trust(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args, OPTIONS, 2);
  const [provider, repository] = positionals;
  if (provider !== "github") throw new UsageError("Say whom to trust: trust github OWNER/REPO --flow FLOW");
  if (repository === undefined || !/^[\w.-]+\/([\w.-]+|\*)$/.test(repository)) {
    throw new UsageError(
      `'${repository ?? ""}' is no repository: OWNER/REPO is, and OWNER/* for all of an owner`,
    );
  }
  const body = {
    name: values.name ?? nameOf(repository),
    description: values.description ?? "",
    issuer: values.issuer ?? GITHUB_ISSUER,
    repository,
    repositoryId: values["repository-id"] ?? null,
    repositoryOwnerId: values["owner-id"] ?? null,
    claims: claimsOf(values),
    role: roleOf(values.role),
    flows: values.flow ?? null,
    environments: values.environment ?? null,
    expiresAt: values.expires === undefined ? null : Math.floor(futureTime(values.expires)),
  };
  if (body.flows === null && body.environments === null) {
    throw new UsageError(
      "Say what it is for: --flow FLOW, --environment ENVIRONMENT, or both; each may be given again",
    );
  }
  await using connection = await openConnection(values, terminal);
  const reply = await call(connection, createTrustPolicy, { body });
  for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
  terminal.print(granted(reply.body));
  return 0;
}

function granted({ name, repository, role, flows, environments, pinnedUntil }: TrustPolicyRecord): string {
  const places = [
    ...(flows ?? []).map((flow) => `flow ${flow}`),
    ...(environments ?? []).map((environment) => `environment ${environment}`),
  ];
  const kept = repository?.endsWith("/*") ? "the id of the owner" : "the ids of the repository";
  const until =
    typeof pinnedUntil === "number"
      ? ` Its first use, until ${new Date(pinnedUntil * 1000).toISOString().slice(0, 16)} UTC, keeps ${kept}.`
      : "";
  return `Workflows of ${repository} are ${role} for ${places.join(", ")}, by the trust policy '${name}'.${until}
In the workflow: permissions: { id-token: write }, and no api-key.`;
}

/** The default suits a whole workflow: it creates its flow, attests and reports. */
function roleOf(named = "member"): Role {
  const role = WORKFLOW_ROLES.find((each) => each === named);
  if (role !== undefined) return role;
  throw new UsageError(`'${named}' is not a role of workflows: ${WORKFLOW_ROLES.join(", ")} are`);
}

function claimsOf(values: ValuesOf<typeof OPTIONS>): Record<string, string | string[]> {
  const claims = new Map<string, string[]>();
  const add = (claim: string, wanted: readonly string[] = []) => {
    if (wanted.length > 0) claims.set(claim, [...(claims.get(claim) ?? []), ...wanted]);
  };
  add("ref", values.ref);
  add("event_name", values.event);
  add("environment", values["github-environment"]);
  add("job_workflow_ref", values.workflow);
  for (const each of values.claim ?? []) {
    const [claim = "", wanted] = each.split(/=(.*)/s);
    if (!wanted) throw new UsageError(`'${each}' is no claim: runner_environment=github-hosted is`);
    add(claim, [wanted]);
  }
  return Object.fromEntries(claims);
}

/** A valid account name: `acme-web`. */
function nameOf(repository: string): string {
  return repository
    .replace("/*", "")
    .replaceAll(/[^a-zA-Z0-9-]+/g, "-")
    .slice(0, 64);
}
