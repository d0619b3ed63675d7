import { policyIn } from "./note-signatures.ts";
import { Unreadable } from "./package-archive.ts";
import { finite, hex, type Json, json, objects, provenLine, sha256 } from "./package-values.ts";
import { differences } from "./record-differences.ts";
import { checkCheckpoint, checkWitnesses, seenText } from "./verify-checkpoint.ts";
import { isProven, type Verified, verdictOn } from "./verify-package.ts";

// Verifies a receipt of an action, as `verify-package.ts` verifies a package: each record in it says what its event
// says, and each event leads to the checkpoint, which a key that you trust has signed.

const FIELDS = ["record", "leaf", "index", "event", "details", "proof", "checkpoint"];

/** @param policy text of your own policy file */
export function verifyReceipt(content: Uint8Array, policy?: string): Verified {
  return verdictOn("receipt", ({ lines, tampered, undecided }) => {
    const receipt = json("the receipt", content);
    const { evidence } = receipt;
    const proofs = evidence === undefined ? [receipt] : objects(evidence);
    const isWhole =
      evidence === undefined ||
      (Object.keys(receipt).length === 1 && Array.isArray(evidence) && evidence.length === proofs.length);
    if (!isWhole || proofs.length === 0) throw new Unreadable("it has an unknown form");
    const trusted = policyIn(policy ?? "quorum none");
    const checkpoints = new Set<string>();
    for (const one of proofs) {
      const log = checkCheckpoint(String(one["checkpoint"]), trusted, { policy, tampered, undecided });
      checkWitnesses({ log, kept: undefined, events: [] }, trusted, { undecided, note: () => {} });
      const checked = checkProof(one, (...proof) => isProven(...proof, log));
      if ("wrong" in checked) tampered(checked.wrong);
      else lines.push(checked.proven);
      checkpoints.add(`Checkpoint ${log.origin}, ${log.size} entries${seenText(log)}`);
    }
    lines.push(...checkpoints);
  });
}

/** @returns the line for a proven record, or what is wrong */
function checkProof(
  receipt: Json,
  isProvenIn: (entry: Uint8Array, index: number, proof: string) => boolean,
): { readonly proven: string } | { readonly wrong: string } {
  const unknown = Object.keys(receipt).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0) return { wrong: `the receipt has unknown fields: ${unknown.join(", ")}` };
  const index = finite(receipt["index"], "index");
  const entry = sha256(bytes(receipt["event"]));
  if (receipt["leaf"] !== `sha256:${hex(entry)}`) return { wrong: "event: its sha256 is not the leaf" };
  if (!isProvenIn(entry, index, String(receipt["proof"])))
    return { wrong: "event: its proof does not lead to the checkpoint" };
  const event = json("event", bytes(receipt["event"]));
  const [record] = objects([receipt["record"]]);
  if (record === undefined) return { wrong: "record: it is missing" };
  const details = bytes(receipt["details"] ?? "");
  const found = differences(
    record,
    { event, latest: event },
    new Map([[`log/details/${hex(sha256(details))}.json`, details]]),
  );
  if (found.length > 0) return { wrong: `record: it differs from its event in ${found.join(", ")}` };
  return { proven: provenLine(String(event["subject_name"]), index, event) };
}

function bytes(text: unknown): Uint8Array {
  return Buffer.from(typeof text === "string" ? text : "");
}
