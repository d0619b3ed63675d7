import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from "node:crypto";

// Signed notes and checkpoints as in C2SP's signed-note and tlog-checkpoint, with Ed25519 keys.

const ED25519 = 0x01;
/** The start of an Ed25519 public key in SPKI form. */
const SPKI_START = Buffer.from("302a300506032b6570032100", "hex");

export interface NoteKey {
  /** Name of the signer: for a log its origin. */
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

export interface NoteSigner extends NoteKey {
  /** PKCS #8 in base64. */
  readonly privateKey: string;
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** Creates a key pair. */
export function newSigner(name: string): NoteSigner {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    name,
    publicKey: publicKey.export({ type: "spki", format: "der" }).subarray(SPKI_START.length),
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
  };
}

/** The first 4 bytes of a digest of name and key. */
function keyId({ name, publicKey }: NoteKey): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]);
  return hash("sha256", named, "buffer").subarray(0, 4);
}

/** The text by which verifiers know a key: `name+id+base64`. */
export function verifierKey(key: NoteKey): string {
  const bytes = Buffer.concat([Buffer.of(ED25519), key.publicKey]);
  return `${key.name}+${keyId(key).toString("hex")}+${bytes.toString("base64")}`;
}

/** @throws Error when it is no key of this form, or its ID does not match */
export function parseVerifierKey(text: string): NoteKey {
  const [, name = "", id, encoded = ""] = /^([^\s+]+)\+([\da-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, "base64");
  const key = { name, publicKey: bytes.subarray(1) };
  if (bytes[0] !== ED25519 || bytes.length !== 33 || keyId(key).toString("hex") !== id)
    throw new Error(`${JSON.stringify(text)} is not a verifier key for Ed25519: <name>+<id>+<key>`);
  return key;
}

/** @param text lines, each with its line end */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  return [`${text}\n`, ...signers.map((signer) => signatureLine(text, signer))].join("");
}

function signatureLine(text: string, signer: NoteSigner): string {
  const key = createPrivateKey({
    key: Buffer.from(signer.privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  });
  const signature = Buffer.concat([keyId(signer), sign(null, Buffer.from(text), key)]);
  return `— ${signer.name} ${signature.toString("base64")}\n`;
}

/** The text of a note that the key has signed. Signatures of other keys are ignored. */
export function openNote(note: string, key: NoteKey): string | undefined {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const [start, id] = [`— ${key.name} `, keyId(key)];
  const signatures = note
    .slice(end + 2)
    .split("\n")
    .filter((line) => line.startsWith(start))
    .map((line) => bytesOf(line.slice(start.length)))
    .filter((signature) => signature.subarray(0, 4).equals(id));
  const spki = Buffer.concat([SPKI_START, key.publicKey]);
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  const isValid = (signature: Buffer) => verify(null, Buffer.from(text), publicKey, signature.subarray(4));
  return end >= 0 && signatures.length > 0 && signatures.every(isValid) ? text : undefined;
}

/** Empty for text that is not the only base64 of its bytes. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : Buffer.alloc(0);
}

/** The unsigned text of a checkpoint. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
}

/** Reads a checkpoint with or without its signatures, and checks none. @throws Error */
export function parseCheckpoint(text: string): Checkpoint {
  const [, origin = "", size = "", encoded = ""] =
    /^(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n/.exec(text) ?? [];
  const checkpoint = { origin, size: Number(size), root: Buffer.from(encoded, "base64") };
  if (origin === "" || !Number.isSafeInteger(checkpoint.size)) throw new Error("This is not a checkpoint");
  return checkpoint;
}

/** The file that proves one entry offline, as in C2SP's tlog-proof. @param checkpoint with its signatures */
export function proofFile(index: number, proof: readonly Uint8Array[], checkpoint: string): string {
  const hashes = proof.map((each) => `${Buffer.from(each).toString("base64")}\n`).join("");
  return `c2sp.org/tlog-proof@v1\nindex ${index}\n${hashes}\n${checkpoint}`;
}
