import { hash } from "node:crypto";
import { type Checkpoint, checkpointIn, decoded, isSame, type Policy } from "./note-signatures.ts";
import { Unreadable } from "./package-archive.ts";
import { iso, type LoggedEvent, MAX_STEP_BACK, type Say } from "./package-values.ts";

// Checkpoint: a note that keys have signed.

interface Checks {
  /** The policy of the reader; undefined for the one in the package. */
  readonly policy: string | undefined;
  readonly tampered: Say;
  readonly undecided: Say;
}

export function checkCheckpoint(
  note: string,
  trusted: Policy,
  { policy, tampered, undecided }: Checks,
): Checkpoint {
  const log = checkpointIn(note, trusted, "log/checkpoint");
  if (!log.isOfLog) undecided(`log/checkpoint: no key of the policy signed the log ${log.origin}`);
  else if (policy === undefined)
    undecided(
      "log/checkpoint: signed by a key that only the package names. Give the keys that you trust with --policy FILE",
    );
  for (const name of log.wrong) tampered(`log/checkpoint: the signature of ${name} is wrong`);
  return log;
}

/** @param kept the reader's own checkpoint of the log, after the check that it is of one log with the package's */
export function checkWitnesses(
  { log, kept, events }: { log: Checkpoint; kept: Checkpoint | undefined; events: readonly LoggedEvent[] },
  { quorum }: Policy,
  { undecided, note }: { undecided: Say; note: Say },
): void {
  if (!log.hasQuorum && !kept?.hasQuorum) {
    undecided(`log/checkpoint: too few witnesses for the quorum ${quorum}`);
    return;
  }
  const seen = kept === undefined || kept.seen.size === 0 ? 0 : Math.min(...kept.seen.values());
  for (const { index, event } of events.filter((each) => kept !== undefined && each.index >= kept.size)) {
    const late = `log/events/${index}.json: your checkpoint of ${kept?.size} entries does not have it`;
    if (!log.hasQuorum) undecided(`${late} yet`);
    if (Number(event["at"]) < seen - MAX_STEP_BACK) note(`${late}, though it claims to be earlier`);
  }
}

export function seenText(checkpoint: Checkpoint): string {
  return [...checkpoint.seen].map(([name, time]) => `, seen by ${name} at ${iso(time)}`).join("");
}

// Your own checkpoint: one of the two logs begins with the other (RFC 9162, section 2.1.4.2).

/** A checkpoint that the reader of a package kept. */
export interface KeptCheckpoint {
  readonly checkpoint: string;
  /** The answer of getLogConsistency for the sizes of both checkpoints. Not needed if they are equal. */
  readonly consistency?: string | undefined;
}

interface Compared {
  readonly kept: KeptCheckpoint;
  /** The checkpoint in the package. */
  readonly log: Checkpoint;
  readonly policy: Policy;
}

/** @returns the kept checkpoint, if one of the two logs begins with the other */
export function checkKept(
  { kept, log, policy }: Compared,
  { tampered, undecided }: Pick<Checks, "tampered" | "undecided">,
): Checkpoint | undefined {
  const problem = (say: (text: string) => void, text: string) => void say(`your checkpoint: ${text}`);
  const own = readable(kept.checkpoint, policy);
  if (own === undefined) return problem(undecided, "it is not a checkpoint");
  if (own.origin !== log.origin) return problem(undecided, `it is of another log: ${own.origin}`);
  if (!own.isOfLog) return problem(undecided, "no key of the policy signed it");
  if (own.wrong.length > 0) return problem(undecided, `the signature of ${own.wrong[0]} is wrong`);
  const [former, latter] = own.size < log.size ? [own, log] : [log, own];
  const [from, to] = [former.size, latter.size];
  if (from === to) {
    if (isSame(own.root, log.root)) return own;
    return problem(tampered, `the log in the package has as many entries, but another root: two logs`);
  }
  if (kept.consistency === undefined) {
    const command = `delivery-evidence call getLogConsistency from=${from} to=${to} > consistency.json`;
    return problem(undecided, `give a proof with --consistency: ${command}`);
  }
  const given = consistencyIn(kept.consistency);
  if (given?.from !== from || given.to !== to)
    return problem(undecided, `the proof of --consistency is not one from ${from} to ${to} entries`);
  if (isBeginning(former, latter, given.proof)) return own;
  return problem(tampered, `the log with ${to} entries does not begin with the ${from} entries of the other`);
}

function readable(checkpoint: string, policy: Policy): Checkpoint | undefined {
  try {
    return checkpointIn(checkpoint, policy, "your checkpoint");
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

interface Consistency {
  readonly from: unknown;
  readonly to: unknown;
  readonly proof: readonly Uint8Array[];
}

function consistencyIn(text: string): Consistency | undefined {
  try {
    const { from, to, proof } = JSON.parse(text);
    return { from, to, proof: proof.map((each: unknown) => decoded(String(each))) };
  } catch {
    return undefined;
  }
}

type Tree = Pick<Checkpoint, "size" | "root">;

/** @param former a tree with fewer leaves */
function isBeginning(former: Tree, latter: Tree, proof: readonly Uint8Array[]): boolean {
  if (former.size === 0) return proof.length === 0 && isSame(former.root, hash("sha256", "", "buffer"));
  const isPower = Number.isInteger(Math.log2(former.size));
  const [first, ...rest] = isPower ? [former.root, ...proof] : proof;
  if (first === undefined) return false;
  let [position, last] = [former.size - 1, latter.size - 1];
  while (position % 2 === 1) [position, last] = [(position - 1) / 2, Math.floor(last / 2)];
  let [formerRoot, latterRoot] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      formerRoot = nodeHash(sibling, formerRoot);
      latterRoot = nodeHash(sibling, latterRoot);
      while (position % 2 === 0 && position > 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else latterRoot = nodeHash(latterRoot, sibling);
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && isSame(formerRoot, former.root) && isSame(latterRoot, latter.root);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash("sha256", Buffer.concat([Buffer.of(1), left, right]), "buffer");
}
