import { call } from "../api/client/call.ts";
import { parseJson } from "../api/json.ts";
import { createTrustPolicy, GITHUB_ISSUER, type TrustPolicyRecord } from "../api/resources/trust-policies.ts";
import { asObject, asObjects } from "../api/untyped.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import type { CONNECTION_OPTIONS } from "./options.ts";
import { contentOf, futureTime, type Given, type Terminal, UsageError } from "./usage.ts";

type GitHubGiven = Given<(typeof COMMANDS)["trust github"]>;
type KubernetesGiven = Given<(typeof COMMANDS)["trust kubernetes"]>;
type Values = Pick<
  GitHubGiven["values"],
  "all" | "name" | "description" | "flow" | "environment" | "expires" | keyof typeof CONNECTION_OPTIONS
>;
type Policy = Parameters<typeof call<typeof createTrustPolicy>>[2]["body"];

export async function trustGitHub({ values, positionals }: GitHubGiven, terminal: Terminal): Promise<number> {
  const [repository = ""] = positionals;
  if (!/^[\w.-]+\/([\w.-]+|\*)$/.test(repository)) {
    throw new UsageError(`Expected OWNER/REPO or OWNER/*, got '${repository}'`);
  }
  const policy = await trust(values, terminal, {
    ...sharedFields(values, repository.replace("/*", "")),
    issuer: values.issuer ?? GITHUB_ISSUER,
    repository,
    repositoryId: values["repository-id"] ?? null,
    repositoryOwnerId: values["owner-id"] ?? null,
    claims: claimsOf({
      ref: values.ref,
      event_name: values.event,
      environment: values["github-environment"],
      job_workflow_ref: values.workflow,
      others: values.claim,
    }),
    // Suits a whole workflow: it creates its flow, attests and reports.
    role: values.role ?? "member",
  });
  const ids = repository.endsWith("/*") ? "the id of the owner" : "the ids of the repository";
  terminal.print(`Workflows of ${repository} have ${granted(policy, ids)}
The workflow needs permissions: { id-token: write } and no api-key.`);
  return 0;
}

export async function trustKubernetes(
  { values, positionals }: KubernetesGiven,
  terminal: Terminal,
): Promise<number> {
  const [account = ""] = positionals;
  if (!/^[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/.test(account)) {
    throw new UsageError(`Expected NAMESPACE/SERVICE-ACCOUNT, got '${account}'`);
  }
  const policy = await trust(values, terminal, {
    ...sharedFields(values, account),
    issuer: values.issuer,
    serviceAccount: account,
    serviceAccountUid: values.uid ?? null,
    jwks: values.jwks === undefined ? null : await keysIn(values.jwks),
    claims: claimsOf({ others: values.claim }),
    role: values.role ?? "snapshotter",
  });
  terminal.print(`The service account ${account} of ${values.issuer} has ${granted(policy, "its UID")}
Its pods need a projected token with the audience of the service, and no API key.`);
  return 0;
}

export function sharedFields(values: Values, subject: string) {
  return {
    name: values.name ?? nameOf(subject),
    description: values.description ?? "",
    flows: values.flow ?? null,
    environments: values.environment ?? null,
    expiresAt: values.expires === undefined ? null : Math.floor(futureTime(values.expires, "--expires")),
  };
}

export async function trust(values: Values, terminal: Terminal, body: Policy): Promise<TrustPolicyRecord> {
  const isLimited = body.flows !== null || body.environments !== null;
  if (isLimited && values.all) throw new UsageError("--all cannot be used with --flow or --environment");
  if (!isLimited && !values.all)
    throw new UsageError("--flow FLOW, --environment ENVIRONMENT, or both are required; or --all");
  await using connection = await openConnection(values, terminal);
  const reply = await call(connection, createTrustPolicy, { body });
  for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
  return reply.body;
}

export function granted(
  { name, role, flows, environments, pinnedUntil }: TrustPolicyRecord,
  ids: string,
): string {
  const places = [
    ...(flows ?? []).map((flow) => `flow ${flow}`),
    ...(environments ?? []).map((environment) => `environment ${environment}`),
  ];
  const scope = places.length === 0 ? "all flows and environments" : places.join(", ");
  const until =
    typeof pinnedUntil === "number"
      ? ` The first use before ${new Date(pinnedUntil * 1000).toISOString().slice(0, 16)} UTC stores ${ids}.`
      : "";
  return `the role ${role} for ${scope}: created the trust policy '${name}'.${until}`;
}

/** @throws {UsageError} */
export async function keysIn(file: string) {
  const text = await contentOf(file, "the keys of the issuer");
  const { keys } = asObject(parseJson(text)?.value);
  if (Array.isArray(keys)) return { keys: asObjects(keys).map((key) => ({ ...key })) };
  throw new UsageError(`The file ${file} must contain the keys of the issuer as JSON, such as {"keys": […]}`);
}

type Wanted = readonly string[] | undefined;

/** @param others claims as `NAME=VALUE` */
export function claimsOf({
  others = [],
  ...named
}: Readonly<Record<string, Wanted>>): Record<string, string[]> {
  const claims = new Map<string, string[]>();
  const add = (claim: string, wanted: Wanted = []) => {
    if (wanted.length > 0) claims.set(claim, [...(claims.get(claim) ?? []), ...wanted]);
  };
  for (const [claim, wanted] of Object.entries(named)) add(claim, wanted);
  for (const each of others) {
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
function nameOf(subject: string): string {
  return subject.replaceAll(/[^a-zA-Z0-9-]+/g, "-").slice(0, 64);
}
