import { call } from "../api/client/call.ts";
import { getTokenAudience } from "../api/resources/token-exchange.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import { claimsOf, granted, keysIn, sharedFields, trust } from "./trust.ts";
import { type Given, type Terminal, UsageError } from "./usage.ts";

type Of<System extends "gitlab" | "azure" | "circleci" | "buildkite" | "bitbucket"> = Given<
  (typeof COMMANDS)[`trust ${System}`]
>;

/** Projects whose name is not in this form are refused before the service is called. */
const NAMES = {
  gitlab: [/^[\w.-]+(?:\/[\w.-]+)*\/(?:[\w.-]+|\*)$/, "GROUP/PROJECT or GROUP/*"],
  azure: [/^[^/]+\/[^/]+\/.+$/, "ORGANIZATION/PROJECT/PIPELINE"],
  circleci: [/^[\w.-]+(?:\/[\w.-]+){2,}$/, "HOST/OWNER/REPO, such as github.com/acme/web"],
  buildkite: [/^[\w-]+\/[\w-]+$/, "ORGANIZATION/PIPELINE"],
  bitbucket: [/^[\w.-]+\/[\w.-]+$/, "WORKSPACE/REPOSITORY"],
} as const;

export function trustGitLab(given: Of<"gitlab">, terminal: Terminal): Promise<number> {
  const { values } = given;
  return trustProject("gitlab", given, terminal, {
    issuer: values.issuer ?? "https://gitlab.com",
    ids: { namespace_id: values["namespace-id"], project_id: values["project-id"] },
    claims: {
      ref_path: values.ref,
      pipeline_source: values.source,
      environment: values["gitlab-environment"],
      ci_config_ref_uri: values.pipeline,
    },
    jobs: "Jobs",
    next: (audience) =>
      `The job needs id_tokens: { EVIDENCE_ID_TOKEN: { aud: ${audience} } } and no EVIDENCE_API_KEY.`,
  });
}

export function trustAzure(given: Of<"azure">, terminal: Terminal): Promise<number> {
  const { values } = given;
  if (values.ref === undefined)
    throw new UsageError("--ref REF is required, because Azure's tokens have one audience for all services");
  return trustProject("azure", given, terminal, {
    issuer: `https://vstoken.dev.azure.com/${uuid(values["org-id"], "--org-id")}`,
    ids: { prj_id: values["project-id"], def_id: values["pipeline-id"] },
    claims: { rpo_ref: values.ref },
    jobs: "Runs",
    next: () => "The step needs env: { SYSTEM_ACCESSTOKEN: $(System.AccessToken) } and no EVIDENCE_API_KEY.",
  });
}

export function trustCircleci(given: Of<"circleci">, terminal: Terminal): Promise<number> {
  const { values } = given;
  const definition = values["definition-id"];
  return trustProject("circleci", given, terminal, {
    issuer: `https://oidc.circleci.com/org/${uuid(values["org-id"], "--org-id")}`,
    ids: { "oidc.circleci.com/project-id": values["project-id"] },
    claims: {
      "oidc.circleci.com/vcs-ref": values.ref,
      "oidc.circleci.com/pipeline-definition-id": definition === undefined ? [] : [definition],
    },
    jobs: "Jobs",
    next: () => "The job needs no setting and no EVIDENCE_API_KEY.",
  });
}

export function trustBuildkite(given: Of<"buildkite">, terminal: Terminal): Promise<number> {
  const { values } = given;
  return trustProject("buildkite", given, terminal, {
    issuer: "https://agent.buildkite.com",
    ids: { organization_id: values["org-id"], pipeline_id: values["pipeline-id"] },
    claims: { build_branch: values.branch, step_key: values.step },
    jobs: "Jobs",
    next: () => "The job needs buildkite-agent in its PATH and no EVIDENCE_API_KEY.",
  });
}

export function trustBitbucket(given: Of<"bitbucket">, terminal: Terminal): Promise<number> {
  const { values, positionals } = given;
  const [workspace = ""] = positionals[0]?.split("/") ?? [];
  const deployment = values["deployment-id"];
  return trustProject("bitbucket", given, terminal, {
    issuer: `https://api.bitbucket.org/2.0/workspaces/${workspace}/pipelines-config/identity/oidc`,
    ids: { repositoryUuid: inBraces(values["repository-id"], "--repository-id") },
    claims: {
      branchName: values.branch,
      deploymentEnvironmentUuid: deployment === undefined ? [] : [inBraces(deployment, "--deployment-id")],
    },
    jobs: "Pipelines",
    next: (audience) => `The step needs oidc: { audiences: ["${audience}"] } and no EVIDENCE_API_KEY.`,
  });
}

interface Project {
  readonly issuer: string;
  readonly ids: Readonly<Record<string, string | undefined>>;
  readonly claims: Readonly<Record<string, readonly string[] | undefined>>;
  /** The runs that the policy trusts, for messages. */
  readonly jobs: string;
  /** The setting of a job that makes it work. */
  readonly next: (audience: string) => string;
}

async function trustProject(
  system: keyof typeof NAMES,
  { values, positionals }: Of<keyof typeof NAMES>,
  terminal: Terminal,
  { issuer, ids, claims, jobs, next }: Project,
): Promise<number> {
  const [project = ""] = positionals;
  const [format, usage] = NAMES[system];
  if (!format.test(project)) throw new UsageError(`Expected ${usage}, got '${project}'`);
  const known = Object.entries(ids).flatMap(([claim, id]) => (id === undefined ? [] : [[claim, id]]));
  const policy = await trust(values, terminal, {
    ...sharedFields(values, project.replace("/*", "")),
    issuer,
    project,
    projectIds: known.length === 0 ? null : Object.fromEntries(known),
    jwks: values.jwks === undefined ? null : await keysIn(values.jwks),
    claims: claimsOf({ ...claims, others: values.claim }),
    // Suits a whole pipeline: it creates its flow, attests and reports.
    role: values.role ?? "member",
  });
  await using connection = await openConnection(values, terminal);
  const { audience } = (await call(connection, getTokenAudience, { org: connection.org })).body;
  terminal.print(`${jobs} of ${project} have ${granted(policy, "the ids")}\n${next(audience)}`);
  return 0;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** @throws {UsageError} */
function uuid(text: string, option: string): string {
  const id = text.toLowerCase();
  if (UUID.test(id)) return id;
  throw new UsageError(`${option} must be a UUID, got '${text}'`);
}

/** Bitbucket's UUIDs are in braces, which shells and people omit. */
function inBraces(text: string, option: string): string {
  return `{${uuid(text.replaceAll(/[{}]/g, ""), option)}}`;
}
