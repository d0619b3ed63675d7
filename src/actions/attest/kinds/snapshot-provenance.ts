import { InputError } from "../../../api/client/errors.ts";
import type { FileToSend } from "../../../api/files.ts";
import { MAX_FILE_BYTES } from "../../../api/operation.ts";
import { attestGeneric } from "../../../api/resources/generic-attestation.ts";
import { getSnapshot, type SnapshotArtifact } from "../../../api/resources/snapshots.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import { adviseMissing } from "../../missing-advice.ts";
import { type Proof, prover } from "../../provenance/prove.ts";
import type { AttestationRequest, Recorded } from "../attestation-request.ts";
import { prepareSubmission } from "../submission.ts";
import { withFacts } from "../user-data.ts";
import { factsOf } from "./provenance.ts";

/** Artifacts in progress at a time: GitHub lists the attestations of 100 in one response. */
const AT_A_TIME = 100;
/** Unproven artifacts that the reason names. */
const MOST_NAMED = 3;
/** Rows in the step summary. */
const MOST_ROWS = 100;

interface Checked {
  readonly artifact: Pick<SnapshotArtifact, "name" | "fingerprint">;
  readonly proof: Proof;
}

/** Records whether GitHub's attestations prove every artifact that an environment runs. */
export async function recordSnapshotProvenance(
  attestation: AttestationRequest,
  environment: string,
  context: ActionContext,
): Promise<Recorded> {
  const { values } = attestation;
  const snapshot = await latestSnapshot(environment, context);
  // In a dry run, and if on-unavailable accepts that the service is unavailable.
  if (snapshot === undefined)
    return { reply: undefined, attachments: [], compliant: undefined, reason: "", tables: [] };
  const running = runningIn(snapshot.artifacts);
  if (running.length === 0) {
    const problem = `'${environment}' runs no artifacts, so there is nothing to check`;
    throw new InputError([{ input: "environment", problem }]);
  }
  const proveOne = await prover({ ...values, allowOutside: values.allowOutsideWorkspace }, context);
  const checked: Checked[] = [];
  for (let start = 0; start < running.length; start += AT_A_TIME) {
    const asked = running
      .slice(start, start + AT_A_TIME)
      .map(async (artifact) => ({ artifact, proof: await proveOne(artifact.fingerprint) }));
    checked.push(...(await Promise.all(asked)));
  }
  const reason = reasonOf(checked);
  const { to, fields, attachments, tables } = await prepareSubmission(attestation, context);
  const file = bundleFile(checked, context);
  const facts = {
    verified: reason === "",
    ...{ environment, snapshot: snapshot.index },
    artifacts: checked.map(({ artifact: { name, fingerprint }, proof }) => ({
      ...{ name, fingerprint },
      ...factsOf(proof),
    })),
  };
  const reply = await context.call(attestGeneric, {
    ...to,
    files: { attachmentFile: [...to.files.attachmentFile, ...file] },
    body: { ...withFacts(fields, { provenance: facts }), isCompliant: reason === "" },
  });
  return {
    reply,
    attachments: [...attachments, ...file.map(({ name }) => name)],
    compliant: reason === "",
    reason,
    tables: [{ columns: ["Artifact", "Provenance"], rows: rowsOf(checked) }, ...tables],
  };
}

async function latestSnapshot(environment: string, context: ActionContext) {
  try {
    const reply = await context.call(getSnapshot, { envName: environment, snapshotExpression: "-1" });
    return reply?.body;
  } catch (error) {
    throw adviseMissing(
      error,
      `Check \`environment\`. '${environment}' must have been reported to the service.`,
    );
  }
}

/** Running artifacts, each fingerprint once. A snapshot also lists those that just stopped. */
function runningIn(artifacts: readonly SnapshotArtifact[]): readonly SnapshotArtifact[] {
  const running = artifacts.filter(({ annotation }) => annotation?.now !== 0);
  return [...new Map(running.map((artifact) => [artifact.fingerprint, artifact])).values()];
}

function reasonOf(checked: readonly Checked[]): string {
  const unproven = checked.filter(({ proof }) => !proof.proven);
  if (unproven.length === 0) return "";
  const named = unproven
    .slice(0, MOST_NAMED)
    .map(({ artifact: { name }, proof }) => `${name}: ${resultOf(proof)}`);
  const further = unproven.length > MOST_NAMED ? [`${unproven.length - MOST_NAMED} more`] : [];
  return `${unproven.length} of ${checked.length} artifacts are not proven: ${[...named, ...further].join("; ")}`;
}

function resultOf(proof: Proof): string {
  return proof.proven
    ? `Signed by ${proof.proven.signer}`
    : proof.refusals.map(({ text }) => text).join("; ");
}

function rowsOf(checked: readonly Checked[]) {
  const rows = checked
    .slice(0, MOST_ROWS)
    .map(({ artifact: { name }, proof }) => [name, resultOf(proof)] as const);
  const further = checked.length - rows.length;
  return further > 0 ? [...rows, ["…", `${further} more`] as const] : rows;
}

/** The bundles that were checked, each once: one bundle may be about several artifacts. */
function bundleFile(checked: readonly Checked[], { warn }: ActionContext): FileToSend[] {
  const lines = checked.flatMap(({ proof }) => proof.bundles.map((bundle) => `${JSON.stringify(bundle)}\n`));
  if (lines.length === 0) return [];
  const content = new Blob([...new Set(lines)], { type: "application/json" });
  if (content.size <= MAX_FILE_BYTES) return [{ name: "provenance.sigstore.jsonl", content }];
  warn("The bundles are not attached, because they are larger than 10 MB together");
  return [];
}
