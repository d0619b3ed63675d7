import { InputError } from "../../../api/client/errors.ts";
import type { FileToSend } from "../../../api/files.ts";
import { attestGeneric } from "../../../api/resources/generic-attestation.ts";
import type { Proven } from "../../../evidence/provenance/verify-bundle.ts";
import type { Table } from "../../../github/step/summary.ts";
import { type Proof, prove } from "../../provenance/prove.ts";
import type { Recorder } from "../attestation-request.ts";
import { prepareSubmission } from "../submission.ts";
import { withFacts } from "../user-data.ts";

/** Records GitHub's attestation of an artifact. An attestation that proves nothing is non-compliant. */
export const recordProvenance: Recorder = async (attestation, context) => {
  const { values, fingerprint, origin } = attestation;
  if (fingerprint === undefined)
    throw new InputError([
      { input: "fingerprint", problem: "is required, or set `artifact` instead", missing: true },
    ]);
  const question = { ...values, fingerprint, allowOutside: values.allowOutsideWorkspace };
  const proof = await prove(question, context);
  refuseUnreadable(proof, values.attestationBundle);
  const reason = proof.proven ? "" : proof.refusals.map(({ text }) => text).join("; ");
  const commit = origin.gitCommitInfo?.sha1;
  if (proof.proven && commit !== undefined && proof.proven.commit !== commit)
    context.warn(
      `GitHub's attestation is for commit ${proof.proven.commit}, but this step records it for commit ${commit}`,
    );
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const file = bundleFile(proof.bundles);
  const reply = await context.call(attestGeneric, {
    ...to,
    files: { attachmentFile: [...to.files.attachmentFile, ...file] },
    body: { ...withFacts(fields, { provenance: factsOf(proof) }), isCompliant: reason === "" },
  });
  return {
    reply,
    attachments: [...attachments, ...file.map(({ name }) => name)],
    compliant: reason === "",
    reason,
    tables: [...(proof.proven ? [tableOf(proof.proven)] : []), ...tables],
  };
};

/** A file that is not an attestation is a mistake in the step, and must not be sent. */
function refuseUnreadable(proof: Proof, path: string | undefined): void {
  if (proof.proven || path === undefined || proof.refusals.some(({ check }) => check !== "form")) return;
  const problems = proof.refusals.map(({ text }) => ({ input: "attestation-bundle", problem: text }));
  throw new InputError(problems);
}

function bundleFile(bundles: readonly unknown[]): FileToSend[] {
  if (bundles.length === 0) return [];
  const lines = bundles.map((bundle) => `${JSON.stringify(bundle)}\n`).join("");
  const name = bundles.length === 1 ? "provenance.sigstore.json" : "provenance.sigstore.jsonl";
  return [{ name, content: new Blob([lines], { type: "application/json" }) }];
}

/** The facts of a proof, for `user-data`. */
export function factsOf(proof: Proof) {
  if (!proof.proven) {
    const refusals = proof.refusals.map(({ check, text }) => ({ failed_check: check ?? null, reason: text }));
    return { verified: false, refusals };
  }
  const { proven, trustedRoot } = proof;
  return {
    verified: true,
    predicate_type: proven.predicateType,
    issuer: proven.issuer,
    signer_workflow: proven.signer,
    source_repository: proven.sourceRepository,
    source_repository_id: proven.sourceRepositoryId,
    source_repository_owner_id: proven.sourceRepositoryOwnerId,
    source_ref: proven.sourceRef,
    commit: proven.commit,
    trigger: proven.trigger,
    run_url: proven.run,
    runner_environment: proven.runnerEnvironment,
    visibility: proven.visibility,
    log_indexes: proven.logIndexes,
    timestamps: proven.timestamps.map((time) => time.toISOString()),
    trusted_root: trustedRoot,
  };
}

function tableOf({ signer, sourceRepository, commit, run, timestamps }: Proven): Table {
  return {
    columns: ["Verified", ""],
    rows: [
      ["Signed by", signer],
      ["Built in", sourceRepository],
      ["Commit", commit],
      ["Run", run],
      ["Signed at", timestamps.map((time) => time.toISOString()).join(", ")],
    ],
  };
}
