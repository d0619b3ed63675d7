import { hash } from "node:crypto";
import { InputError, NetworkError } from "../../api/client/errors.ts";
import { readTextFile } from "../../evidence/file-to-send.ts";
import { PUBLIC_ROOT } from "../../evidence/provenance/public-root.ts";
import { type Check, parseWorkflow, type Signer, Unproven } from "../../evidence/provenance/signer.ts";
import {
  instanceOf,
  jsonValues,
  readTrustedRoots,
  type TrustedInstance,
} from "../../evidence/provenance/trusted-roots.ts";
import { type Proven, verifyBundle } from "../../evidence/provenance/verify-bundle.ts";
import type { GitHubError } from "../../github/api/github-fault.ts";
import { readAttestations } from "../../github/attestations/attestations.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { tokenIssuer } from "../../github/step/token-issuer.ts";
import type { ProvenanceValues } from "./inputs.ts";

/** The required provenance, and the token for GitHub. */
export interface Question extends ProvenanceValues {
  readonly githubToken: string | undefined;
  readonly fingerprint: string;
  /** Allows files outside the workspace: nothing of them is sent. */
  readonly allowOutside: boolean;
}

export type Proof =
  | { readonly proven: Proven; readonly bundles: readonly [unknown]; readonly trustedRoot: string }
  | {
      readonly proven?: undefined;
      readonly refusals: readonly Refusal[];
      readonly bundles: readonly unknown[];
    };

interface Refusal {
  /** Undefined when there was nothing to check. */
  readonly check?: Check;
  /** Sentences without a full stop at the end: which check failed, why, and what to do. */
  readonly text: string;
}

/**
 * Looks for an attestation, in a file or at GitHub, that proves who built an artifact. One valid attestation is enough.
 *
 * @throws {InputError} for files that cannot be read
 * @throws {NetworkError} when GitHub cannot be reached or returns an incomplete list, and no attestation is valid
 */
export async function prove(question: Question, context: ActionContext): Promise<Proof> {
  const proveOne = await prover(question, context);
  return proveOne(question.fingerprint);
}

/** Reads what the proofs of several artifacts have in common. @throws as {@link prove} does */
export async function prover(
  question: Omit<Question, "fingerprint">,
  context: ActionContext,
): Promise<(fingerprint: string) => Promise<Proof>> {
  const source = sourceOf(question, context);
  const trust = await trustedBy(question, context);
  let isAdvised = source.id !== undefined;
  return async (fingerprint) => {
    const proof = await proofOf({ ...question, fingerprint }, { source, ...trust }, context);
    if (proof.proven && !isAdvised) context.info(adviceToPin(source.repository, proof.proven));
    isAdvised ||= proof.proven !== undefined;
    return proof;
  };
}

interface Trust {
  readonly trusted: readonly TrustedInstance[];
  readonly trustedRoot: string;
}

async function proofOf(
  question: Question,
  { source, trusted, trustedRoot }: Trust & { readonly source: Signer["source"] },
  context: ActionContext,
): Promise<Proof> {
  const found = await findBundles(question, source, context);
  if ("none" in found) return { refusals: [{ text: found.none }], bundles: [] };
  const { fingerprint, predicateType = "" } = question;
  const wanted = { fingerprint, predicateType, signer: signerOf(question, source, context) };
  const refusals: Refusal[] = [];
  for (const bundle of found.bundles) {
    try {
      return { proven: verifyBundle(bundle, wanted, trusted), bundles: [bundle], trustedRoot };
    } catch (error) {
      if (!(error instanceof Unproven)) throw error;
      const why = [`${found.where} proves nothing: ${error.check}: ${error.message}`, error.advice];
      refusals.push({ check: error.check, text: why.filter(Boolean).join(". ").replace(/\.$/, "") });
    }
  }
  const byText = new Map(refusals.map((refusal) => [refusal.text, refusal]));
  if (found.lost) throw unreadable(found.lost, context, [...byText.keys()]);
  return { refusals: [...byText.values()], bundles: found.bundles };
}

function adviceToPin(repository: string, { sourceRepositoryId: id }: Proven): string {
  return `${repository} was checked by name only. To refuse a repository recreated under this name, set source-repository-id: "${id}".`;
}

function sourceOf(
  { sourceRepository, sourceRepositoryId }: ProvenanceValues,
  { runner }: ActionContext,
): Signer["source"] {
  const repository = sourceRepository ?? runner.repository;
  if (repository === undefined) {
    const problem = "is required outside of a CI job: set the repository that built the artifact";
    throw new InputError([{ input: "source-repository", problem, missing: true }]);
  }
  // The id of the job's own repository is known. An id is never reused, unlike a name.
  const isOwn = repository.toLowerCase() === runner.repository?.toLowerCase();
  return { repository, id: sourceRepositoryId ?? (isOwn ? runner.repositoryId : undefined) };
}

function signerOf(
  { signerRepository, signerWorkflow, sourceEvents: events, denySelfHostedRunners }: ProvenanceValues,
  source: Signer["source"],
  { runner: { serverUrl } }: ActionContext,
): Signer {
  const workflow = signerWorkflow === undefined ? undefined : parseWorkflow(signerWorkflow);
  return {
    ...{ serverUrl, issuer: tokenIssuer(serverUrl), source, repository: signerRepository, workflow },
    ...{ events, deniesSelfHosted: denySelfHostedRunners },
  };
}

async function trustedBy(
  { trustedRoot: path, allowOutside }: Omit<Question, "fingerprint">,
  { runner }: ActionContext,
): Promise<Trust> {
  if (path === undefined) return { trusted: [instanceOf(JSON.parse(PUBLIC_ROOT))], trustedRoot: "public" };
  const workspace = runner.workspace ?? process.cwd();
  const text = await readTextFile(path, { input: "trusted-root", workspace, allowOutside });
  return { trusted: readTrustedRoots(text, path), trustedRoot: `sha256:${hash("sha256", text)}` };
}

interface Lost {
  readonly fault: GitHubError;
  /** `returned no attestation of <sha256>` */
  readonly what: string;
}

/** Missing attestations take precedence over refused ones. */
function unreadable(
  { fault, what }: Lost,
  { runner: { apiUrl } }: ActionContext,
  refusals: readonly string[] = [],
): NetworkError {
  const rest = refusals.length === 0 ? "" : `Refused: ${refusals.join("; ")}.`;
  return new NetworkError({
    what: fault.explain(apiUrl, what, rest),
    advice: "An attestation that cannot be checked proves nothing. Rerun the job, or set attestation-bundle.",
    fault: "GITHUB",
    cause: fault,
  });
}

async function findBundles(question: Question, source: Signer["source"], context: ActionContext) {
  const { runner, signal } = context;
  const { fingerprint, allowOutside, githubToken: token, predicateType = "" } = question;
  const { attestationBundle: path } = question;
  if (path !== undefined) {
    const workspace = runner.workspace ?? process.cwd();
    const text = await readTextFile(path, { input: "attestation-bundle", workspace, allowOutside });
    return { bundles: bundlesIn(text, path), where: `the attestation in '${path}'` };
  }
  if (!token) {
    const problem = "is required to read the attestation from GitHub, unless attestation-bundle is set";
    throw new InputError([{ input: "github-token", problem, missing: true }]);
  }
  const { apiUrl, childEnv: env } = runner;
  const address = { apiUrl, repository: source.repository, token, signal, env };
  const asked = { sha256: fingerprint, predicateType, repositoryId: source.id };
  const outcome = await readAttestations(address, asked);
  const what = `returned no attestation of ${fingerprint}`;
  if ("fault" in outcome) {
    const { fault } = outcome;
    if (fault.status === 404) return { none: fault.explain(apiUrl, what) };
    throw unreadable({ fault, what }, context);
  }
  const { bundles, faults } = outcome.answer;
  const [fault] = faults;
  const none = `GitHub has no attestation of ${fingerprint} in ${source.repository}: attest it in the workflow that builds it`;
  if (bundles.length === 0 && fault === undefined) return { none };
  const all = bundles.length + faults.length;
  const missing = all === 1 ? what : `did not return all ${all} attestations of ${fingerprint}`;
  return {
    bundles,
    where: `GitHub's attestation of ${source.repository}`,
    // A missing attestation might be valid.
    lost: fault && { fault, what: missing },
  };
}

function bundlesIn(text: string, path: string): unknown[] {
  try {
    return jsonValues(text);
  } catch (cause) {
    const problem = `'${path}' is neither JSON nor JSON lines`;
    throw new InputError([{ input: "attestation-bundle", problem }], { cause });
  }
}
