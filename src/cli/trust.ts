import { call } from "../api/client/call.ts";
import { createTrustPolicy, GITHUB_ISSUER, type TrustPolicyRecord } from "../api/resources/trust-policies.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import { futureTime, type Given, type Terminal, UsageError } from "./usage.ts";

type TrustGiven = Given<(typeof COMMANDS)["trust github"]>;

export async function trust({ values, positionals }: TrustGiven, terminal: Terminal): Promise<number> {
  const [repository = ""] = positionals;
  if (!/^[\w.-]+\/([\w.-]+|\*)$/.test(repository)) {
    throw new UsageError(`Expected OWNER/REPO or OWNER/*, got '${repository}'`);
  }
  const body = {
    name: values.name ?? nameOf(repository),
    description: values.description ?? "",
    issuer: values.issuer ?? GITHUB_ISSUER,
    repository,
    repositoryId: values["repository-id"] ?? null,
    repositoryOwnerId: values["owner-id"] ?? null,
    claims: claimsOf(values),
    // Suits a whole workflow: it creates its flow, attests and reports.
    role: values.role ?? "member",
    flows: values.flow ?? null,
    environments: values.environment ?? null,
    expiresAt: values.expires === undefined ? null : Math.floor(futureTime(values.expires, "--expires")),
  };
  if (body.flows === null && body.environments === null) {
    throw new UsageError("--flow FLOW, --environment ENVIRONMENT, or both are required");
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
  const ids = repository?.endsWith("/*") ? "the id of the owner" : "the ids of the repository";
  const until =
    typeof pinnedUntil === "number"
      ? ` The first use before ${new Date(pinnedUntil * 1000).toISOString().slice(0, 16)} UTC stores ${ids}.`
      : "";
  return `Workflows of ${repository} have the role ${role} for ${places.join(", ")}: created the trust policy '${name}'.${until}
The workflow needs permissions: { id-token: write } and no api-key.`;
}

function claimsOf(values: TrustGiven["values"]): Record<string, string | string[]> {
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
    if (!wanted)
      throw new UsageError(
        `--claim must be NAME=VALUE, such as runner_environment=github-hosted, got '${each}'`,
      );
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
