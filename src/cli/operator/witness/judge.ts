import { HASH_BYTES, isConsistent, isSame } from "../../../evidence/log/merkle.ts";
import {
  type Checkpoint,
  cosignatureLine,
  type NoteKey,
  type NoteSigner,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  signatureLines,
} from "../../../evidence/log/note.ts";

// Decides about a checkpoint. Nothing here reads files or calls the service.

/** The witness must not sign this checkpoint. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** A checkpoint that a trusted key of its log has signed. */
export interface Trusted extends Checkpoint {
  /** The text and the signatures of trusted keys. */
  readonly note: string;
}

/** The keys of logs in a policy (C2SP tlog-policy). @throws Error for an invalid key */
export function logKeys(policy: string): NoteKey[] {
  return [...policy.matchAll(/^[ \t]*log[ \t]+(\S+)/gm)].map(([, key = ""]) => parseVerifierKey(key));
}

/** @throws Refused if no trusted key signed it, or the signature of one is wrong */
export function trustedCheckpoint(note: string, keys: readonly NoteKey[]): Trusted {
  const { origin, size, root } = parsed(note);
  const own = keys.filter(({ name }) => name === origin);
  if (own.length === 0) throw new Refused("the policy has no key of this log");
  // While a log changes its key, both sign.
  const signers = own.filter((key) => signatureLines(note, key).length > 0);
  if (signers.length === 0) throw new Refused("no key of the policy signed it");
  if (signers.some((key) => openNote(note, key) === undefined)) throw new Refused("its signature is wrong");
  const lines = new Set(signers.flatMap((key) => signatureLines(note, key)));
  return { origin, size, root, note: `${textOf(note)}\n${[...lines].join("\n")}\n` };
}

/** @throws Refused */
function parsed(note: string): Checkpoint {
  try {
    if (note.includes("\n\n")) return parseCheckpoint(note);
  } catch {
    // The same reason as for a checkpoint without signatures.
  }
  throw new Refused("it is not a signed checkpoint");
}

/** Checks that a log continues its last checkpoint. @param proof empty unless it has more entries @throws Refused */
export function requireGrowth(former: Checkpoint, latter: Checkpoint, proof: readonly string[]): void {
  if (latter.size < former.size)
    throw new Refused(`it has ${latter.size} entries, but the last one had ${former.size}`);
  if (latter.size === former.size && !isSame(former.root, latter.root))
    throw new Refused(`it has the ${latter.size} entries of the last one, but another root`);
  const hashes = proof.map((hash) => Buffer.from(hash, "base64"));
  const isProof = hashes.every(({ length }) => length === HASH_BYTES);
  if (!isProof || !isConsistent({ former, latter, proof: hashes }))
    throw new Refused(
      `its ${latter.size} entries do not begin with the ${former.size} entries of the last one`,
    );
}

/** Adds the signature of a witness to a checkpoint. */
export function cosigned({ note }: Trusted, signer: NoteSigner, time: number): string {
  return `${note}${cosignatureLine(textOf(note), signer, time)}`;
}

function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf("\n\n") + 1);
}
