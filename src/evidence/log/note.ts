import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from "node:crypto";

// Signed notes and checkpoints as in C2SP's signed-note, tlog-checkpoint and tlog-cosignature, with Ed25519 keys.

const ED25519 = 0x01;
/** A signature of a witness, with its time. */
const COSIGNATURE = 0x04;
/** The start of an Ed25519 public key in SPKI form. */
const SPKI_START = Buffer.from("302a300506032b6570032100", "hex");
/** The start of an Ed25519 private key in PKCS #8 form. */
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");

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
function keyId({ name, publicKey }: NoteKey, type = ED25519): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey]);
  return hash("sha256", named, "buffer").subarray(0, 4);
}

/** The text by which verifiers know a key: `name+id+base64`. */
export function verifierKey(key: NoteKey): string {
  return keyText(key, ED25519, key.publicKey);
}

/** The text by which verifiers know the key of a witness. */
export function cosignerKey(key: NoteKey): string {
  return keyText(key, COSIGNATURE, key.publicKey);
}

function keyText(key: NoteKey, type: number, secretOrPublic: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.of(type), secretOrPublic]);
  return `${key.name}+${keyId(key, type).toString("hex")}+${bytes.toString("base64")}`;
}

const PRIVATE = "PRIVATE+KEY+";

/** The private key as one line, in the form of Go's `note`, which other witnesses read too. */
export function signerText(signer: NoteSigner): string {
  const seed = Buffer.from(signer.privateKey, "base64").subarray(PKCS8_START.length);
  return `${PRIVATE}${keyText(signer, ED25519, seed)}`;
}

/** @throws Error when it is no private key of this form. The message does not have it */
export function parseSigner(text: string): NoteSigner {
  const [, name = "", id, encoded = ""] = /^PRIVATE\+KEY\+([^\s+]+)\+([\da-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, "base64");
  if (bytes[0] === ED25519 && bytes.length === 33) {
    const pkcs8 = Buffer.concat([PKCS8_START, bytes.subarray(1)]);
    const pair = createPublicKey(createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" }));
    const publicKey = pair.export({ type: "spki", format: "der" }).subarray(SPKI_START.length);
    const signer = { name, publicKey, privateKey: pkcs8.toString("base64") };
    if (keyId(signer).toString("hex") === id) return signer;
  }
  throw new Error(`It is not a private key: ${PRIVATE}<name>+<id>+<key>`);
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
  return noteLine(signer, Buffer.concat([keyId(signer), signed(text, signer)]));
}

/** The line of a witness below a checkpoint. @param time Unix seconds */
export function cosignatureLine(text: string, signer: NoteSigner, time: number): string {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = signed(cosignedText(text, time), signer);
  return noteLine(signer, Buffer.concat([keyId(signer, COSIGNATURE), stamp, signature]));
}

function cosignedText(text: string, time: number): string {
  return `cosignature/v1\ntime ${time}\n${text}`;
}

function signed(text: string, { privateKey }: NoteSigner): Buffer {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return sign(null, Buffer.from(text), key);
}

function noteLine({ name }: NoteKey, signature: Buffer): string {
  return `— ${name} ${signature.toString("base64")}\n`;
}

/** The text of a note that the key has signed. Signatures of other keys are ignored. */
export function openNote(note: string, key: NoteKey): string | undefined {
  const { text, signatures } = signaturesOf(note, key, ED25519);
  const isValid = (signature: Buffer) => isSigned(text, signature, key);
  return signatures.length > 0 && signatures.every(isValid) ? text : undefined;
}

/** Unix seconds at which a witness signed a checkpoint. Undefined if it did not. */
export function cosignedAt(note: string, key: NoteKey): number | undefined {
  const { text, signatures } = signaturesOf(note, key, COSIGNATURE);
  const times = signatures.flatMap((signature) => {
    if (signature.length !== 72) return [];
    const time = Number(signature.readBigUInt64BE());
    return isSigned(cosignedText(text, time), signature.subarray(8), key) ? [time] : [];
  });
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** The lines with signatures of a key below a note, valid or not. */
export function signatureLines(note: string, key: NoteKey): string[] {
  return signaturesOf(note, key, ED25519).lines;
}

function signaturesOf(note: string, key: NoteKey, type: number) {
  const end = note.lastIndexOf("\n\n");
  const [start, id] = [`— ${key.name} `, keyId(key, type)];
  const found = (end < 0 ? "" : note.slice(end + 2)).split("\n").flatMap((line) => {
    const signature = line.startsWith(start) ? bytesOf(line.slice(start.length)) : Buffer.alloc(0);
    return signature.subarray(0, 4).equals(id) ? [{ line, signature: signature.subarray(4) }] : [];
  });
  return {
    text: note.slice(0, end + 1),
    lines: found.map(({ line }) => line),
    signatures: found.map(({ signature }) => signature),
  };
}

function isSigned(text: string, signature: Uint8Array, { publicKey }: NoteKey): boolean {
  const spki = Buffer.concat([SPKI_START, publicKey]);
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return verify(null, Buffer.from(text), key, signature);
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
