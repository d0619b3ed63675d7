import type { CertificateFacts } from "./certificate.ts";
import { Unproven } from "./unproven.ts";

/** Which workflow must have signed. */
export interface Signer {
  /** The server that the workflow runs for: `https://github.com`. */
  readonly serverUrl: string;
  /** Who issues the identity tokens of its workflow runs. */
  readonly issuer: string;
  /** The repository that the artifact was built in. With its id, which outlives names, only that counts. */
  readonly source: { readonly repository: string; readonly id?: string | undefined };
  /** The repository of the workflow that signed; undefined when `workflow` says it. */
  readonly repository: string | undefined;
  readonly workflow: Workflow | undefined;
  /** The events whose runs may sign; every event when there are none. */
  readonly events?: readonly string[];
  /** Runs on self-hosted runners may not sign. */
  readonly deniesSelfHosted?: boolean;
}

/** A workflow's file, and the ref when only that one will do. */
export interface Workflow {
  /** `owner/name` */
  readonly repository: string;
  /** `.github/workflows/build.yml` */
  readonly path: string;
  /** `refs/heads/main` */
  readonly ref?: string | undefined;
}

/** `owner/name/.github/workflows/build.yml`, with or without `@ref`; undefined for anything else. */
export function parseWorkflow(text: string): Workflow | undefined {
  const { repository, path, ref } =
    /^(?<repository>[\w.-]+\/[\w.-]+)\/(?<path>[^@\s]+\.ya?ml)(?:@(?<ref>\S+))?$/.exec(text)?.groups ?? {};
  return repository === undefined || path === undefined ? undefined : { repository, path, ref };
}

/** @throws {Unproven} with the first thing that is not as it must be */
export function checkSigner(facts: CertificateFacts, wanted: Signer): void {
  const { issuer, source } = wanted;
  if (!isIssuedBy(facts.issuer, issuer)) {
    throw new Unproven("issuer", `the signer was known to ${facts.issuer || "nobody"}, not to ${issuer}`, {
      advice: "Only attestations that a workflow run of this GitHub server signed are taken.",
    });
  }
  checkSource(facts, wanted);
  checkRun(facts, wanted);
  const signed = signedBy(facts.signer, wanted.serverUrl);
  if (signed === undefined) throw new Unproven("signer", `it was signed by '${facts.signer}', no workflow`);
  // The repository that it was built in is meant by what it was called then: its name may be another's by now.
  const builtIn = belowServer(facts.sourceRepository, wanted.serverUrl);
  const calledThen = (name: string) => (isSame(name, source.repository) ? (builtIn ?? name) : name);
  const repository = calledThen(wanted.repository ?? source.repository);
  const workflow = wanted.workflow && {
    ...wanted.workflow,
    repository: calledThen(wanted.workflow.repository),
  };
  if (workflow === undefined) {
    if (isSame(signed.repository, repository)) return;
    throw new Unproven("signer", `a workflow of ${signed.repository} signed it, not one of ${repository}`, {
      advice: "If that is a reusable workflow that you trust, name it as signer-workflow.",
    });
  }
  const fits =
    isSame(signed.repository, workflow.repository) &&
    signed.path === workflow.path &&
    (workflow.ref === undefined || signed.ref === workflow.ref);
  if (fits) return;
  throw new Unproven("signer", `${written(signed)} signed it, not ${written(workflow)}`, {
    advice: "Give signer-workflow as it stands here if that workflow is to be trusted.",
  });
}

/** An enterprise may add its slug to the address of GitHub's issuer, which is GitHub's all the same. */
function isIssuedBy(found: string, issuer: string): boolean {
  return (
    found === issuer || (found.startsWith(`${issuer}/`) && /^[\w-]+$/.test(found.slice(issuer.length + 1)))
  );
}

function checkSource({ sourceRepository, sourceRepositoryId }: CertificateFacts, wanted: Signer): void {
  const { serverUrl, source } = wanted;
  const isIt =
    source.id === undefined
      ? isSame(sourceRepository, `${serverUrl}/${source.repository}`)
      : sourceRepositoryId === source.id;
  if (isIt) return;
  const [found, asked] =
    source.id === undefined ? ["", ""] : [` (id ${sourceRepositoryId || "unknown"})`, ` (id ${source.id})`];
  throw new Unproven(
    "source repository",
    `it was built in ${sourceRepository || "no repository"}${found}, not in ${serverUrl}/${source.repository}${asked}`,
    { advice: "Name the repository that builds the artifact as source-repository." },
  );
}

function checkRun(
  { trigger, runnerEnvironment }: CertificateFacts,
  { events = [], deniesSelfHosted = false }: Signer,
): void {
  if (events.length > 0 && !events.includes(trigger)) {
    throw new Unproven("event", `a run of '${trigger}' signed it, not of ${events.join(", ")}`, {
      advice: "List the event in source-events to accept it.",
    });
  }
  if (deniesSelfHosted && runnerEnvironment !== "github-hosted") {
    const on = runnerEnvironment || "unknown";
    throw new Unproven("runner", `its run was on a ${on} runner, not on a github-hosted one`, {
      advice: "Build it on a runner of GitHub, or set deny-self-hosted-runners to false.",
    });
  }
}

function signedBy(signer: string, serverUrl: string): Workflow | undefined {
  const workflow = belowServer(signer, serverUrl);
  return workflow === undefined ? undefined : parseWorkflow(workflow);
}

function belowServer(address: string, serverUrl: string): string | undefined {
  return address.startsWith(`${serverUrl}/`) ? address.slice(serverUrl.length + 1) : undefined;
}

function written({ repository, path, ref }: Workflow): string {
  return `${repository}/${path}${ref === undefined ? "" : `@${ref}`}`;
}

/** GitHub's names differ not by case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
