import type { Signer as VerifiedSigner } from "@sigstore/verify";

export type Check =
  | "form"
  | "certificate"
  | "timestamp"
  | "transparency log"
  | "signature"
  | "subject"
  | "predicate"
  | "issuer"
  | "source repository"
  | "event"
  | "runner"
  | "signer";

/** The message follows the name of the check. */
export class Unproven extends Error {
  readonly check: Check;
  /** May be empty. */
  readonly advice: string;

  constructor(check: Check, why: string, { advice = "", cause }: { advice?: string; cause?: unknown } = {}) {
    super(why, cause === undefined ? undefined : { cause });
    this.name = "Unproven";
    this.check = check;
    this.advice = advice;
  }
}

export interface Signer {
  /** `https://github.com` */
  readonly serverUrl: string;
  /** Issuer of the workflow runs' identity tokens. */
  readonly issuer: string;
  /** The repository that built the artifact. The id outlives names, so it alone counts if given. */
  readonly source: { readonly repository: string; readonly id?: string | undefined };
  /** The signing workflow's repository; undefined if `workflow` has it. */
  readonly repository: string | undefined;
  readonly workflow: Workflow | undefined;
  /** Events whose runs may sign; any if empty. */
  readonly events?: readonly string[];
  /** Rejects runs on self-hosted runners. */
  readonly deniesSelfHosted?: boolean;
}

/** A workflow file, optionally at one ref only. */
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

/** @throws {Unproven} with the first mismatch */
export function checkSigner(facts: CertificateFacts, wanted: Signer): void {
  const { issuer, source } = wanted;
  if (!isIssuedBy(facts.issuer, issuer)) {
    throw new Unproven("issuer", `its issuer is ${facts.issuer || "unknown"}, not ${issuer}`, {
      advice: "Only attestations signed by workflow runs of this GitHub server are accepted.",
    });
  }
  checkSource(facts, wanted);
  checkRun(facts, wanted);
  const signed = signedBy(facts.signer, wanted.serverUrl);
  if (signed === undefined)
    throw new Unproven("signer", `it was signed by '${facts.signer}', which is not a workflow`);
  // The repository's name at that time, which may belong to another repository now.
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
      advice: `If you trust that reusable workflow, set signer-workflow to ${written(signed)}.`,
    });
  }
  const fits =
    isSame(signed.repository, workflow.repository) &&
    signed.path === workflow.path &&
    (workflow.ref === undefined || signed.ref === workflow.ref);
  if (fits) return;
  throw new Unproven("signer", `${written(signed)} signed it, not ${written(workflow)}`, {
    advice: `If you trust that workflow, set signer-workflow to ${written(signed)}.`,
  });
}

/** An enterprise may add its slug to the issuer's address. */
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
  const [found, expected] =
    source.id === undefined ? ["", ""] : [` (id ${sourceRepositoryId || "unknown"})`, ` (id ${source.id})`];
  throw new Unproven(
    "source repository",
    `it was built in ${sourceRepository || "no repository"}${found}, not in ${serverUrl}/${source.repository}${expected}`,
    { advice: "Set source-repository to the repository that builds the artifact." },
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
      advice: "Build the artifact on a GitHub-hosted runner, or set deny-self-hosted-runners to false.",
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

/** GitHub's names are case-insensitive. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Facts in Fulcio's certificate about the workflow run. */
export type CertificateFacts = Readonly<ReturnType<typeof certificateFacts>>;

/** Prefix of Fulcio's extensions. */
const ARC = "1.3.6.1.4.1.57264.1.";
const UTF8_STRING = 0x0c;

/** Missing facts are empty. */
export function certificateFacts({ identity }: VerifiedSigner) {
  const extensions = new Map(identity?.oids?.map(({ oid, value }) => [oid?.id.join("."), value]));
  const fact = (last: number) => utf8String(extensions.get(`${ARC}${last}`));
  return {
    /** Issuer of the run's identity token. */
    issuer: fact(8),
    /** `https://github.com/acme/web/.github/workflows/build.yml@refs/heads/main` */
    signer: identity?.subjectAlternativeName ?? "",
    runnerEnvironment: fact(11),
    sourceRepository: fact(12),
    commit: fact(13),
    sourceRef: fact(14),
    sourceRepositoryId: fact(15),
    sourceRepositoryOwnerId: fact(17),
    trigger: fact(20),
    run: fact(21),
    visibility: fact(22),
  };
}

/** Decodes a DER UTF8String; empty for anything else. */
function utf8String(der: Buffer | undefined): string {
  if (der?.[0] !== UTF8_STRING) return "";
  const first = der[1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const length = lengthBytes === 0 ? first : Number.parseInt(der.toString("hex", 2, 2 + lengthBytes), 16);
  const text = der.subarray(2 + lengthBytes);
  return text.length === length ? text.toString("utf8") : "";
}
