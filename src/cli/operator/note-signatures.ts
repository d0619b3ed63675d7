import { createPublicKey, hash, verify as verifySignature } from "node:crypto";
import { Unreadable } from "./package-archive.ts";

// Keys, policies and signatures of notes, as in C2SP's signed-note, tlog-policy and tlog-cosignature.

interface Key {
  readonly name: string;
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
}

export interface Policy {
  readonly logs: readonly Key[];
  readonly witnesses: ReadonlyMap<string, Key>;
  readonly groups: ReadonlyMap<string, { readonly needed: number; readonly members: readonly string[] }>;
  readonly quorum: string;
}

const ED25519 = 1;
const COSIGNATURE = 4;
/** A time of 8 bytes and a signature. */
const COSIGNATURE_BYTES = 72;
/** The start of a public key in the form that Node reads. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export function policyIn(policy: string): Policy {
  const logs: Key[] = [];
  const witnesses = new Map<string, Key>();
  const groups = new Map<string, { needed: number; members: string[] }>();
  let quorum: string | undefined;
  for (const line of policy.split("\n")) {
    const [word = "", first = "", second = "", ...rest] = line.trim().split(/\s+/);
    if (word === "" || word.startsWith("#")) continue;
    // Names are defined once, above the lines that use them, so that no group is a member of itself.
    const isDefined = (name: string) => witnesses.has(name) || groups.has(name);
    if (/^(witness|group)$/.test(word) && (isDefined(first) || first === "none"))
      throw new Unreadable(`the policy has the name ${first} twice`);
    if (word === "log") logs.push(keyIn(first));
    else if (word === "witness") witnesses.set(first, otherKeyIn(second, witnesses));
    else if (word === "quorum" && (first === "none" || isDefined(first))) {
      if (quorum !== undefined) throw new Unreadable("the policy has two quorum lines");
      quorum = first;
    } else if (word === "group" && rest.length > 0 && rest.every(isDefined)) {
      const needed = second === "any" ? 1 : second === "all" ? rest.length : Number(second);
      if (!(Number.isInteger(needed) && needed >= 1 && needed <= new Set(rest).size))
        throw new Unreadable(
          `the policy has a group that needs ${second} of ${new Set(rest).size}: ${first}`,
        );
      groups.set(first, { needed, members: [...new Set(rest)] });
    } else throw new Unreadable(`the policy has an unknown line: ${line}`);
  }
  if (quorum === undefined) throw new Unreadable("the policy has no quorum line");
  return { logs, witnesses, groups, quorum };
}

/** A key such as `evidence.acme.com/acme+fdccb526+ARWk…`. */
function keyIn(words: string): Key {
  const [, name = "", id = "", encoded = ""] = /^([^\s+]+)\+([\da-f]{8})\+(\S+)$/.exec(words) ?? [];
  const bytes = decoded(encoded);
  const [type = 0] = bytes;
  const named = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), bytes]), "buffer").subarray(0, 4);
  if ((type !== ED25519 && type !== COSIGNATURE) || bytes.length !== 33 || named.toString("hex") !== id)
    throw new Unreadable(`the policy has a key that is none: ${words}`);
  return { name, id: named, bytes: bytes.subarray(1) };
}

/** A witness with the key of another one would count twice. */
function otherKeyIn(words: string, witnesses: ReadonlyMap<string, Key>): Key {
  const key = keyIn(words);
  if ([...witnesses.values()].some(({ bytes }) => isSame(bytes, key.bytes)))
    throw new Unreadable(`the policy has the key of a witness twice: ${words}`);
  return key;
}

/** A checkpoint, and what a policy says about its signatures. */
export interface Checkpoint {
  /** The note with its signatures. */
  readonly note: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** A key of the policy signed for the log. */
  readonly isOfLog: boolean;
  /** Keys of the policy whose signature is wrong. */
  readonly wrong: readonly string[];
  /** Unix seconds at which witnesses have seen it, by their names in the policy. */
  readonly seen: ReadonlyMap<string, number>;
  /** As many witnesses have seen it as the policy requires. */
  readonly hasQuorum: boolean;
}

export function checkpointIn(note: string, policy: Policy, path: string): Checkpoint {
  const end = note.lastIndexOf("\n\n");
  const [body, signatures] = [note.slice(0, end + 1), signaturesIn(note.slice(end + 2), path)];
  const [, origin = "", size = "", root = ""] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n(\S{44})\n$/.exec(body) ?? [];
  if (end < 0 || origin === "") throw new Unreadable(`${path} is not a checkpoint`);
  const of = (key: Key) => signatures.filter(({ name, id }) => name === key.name && isSame(id, key.id));
  const keys = policy.logs.filter((key) => key.name === origin && of(key).length > 0);
  const wrong = keys.filter((key) => !of(key).every(({ bytes }) => isSigned(body, bytes, key)));
  const seen = new Map<string, number>();
  for (const [name, key] of policy.witnesses) {
    for (const { bytes } of of(key)) {
      const time = bytes.length === COSIGNATURE_BYTES ? Number(Buffer.from(bytes).readBigUInt64BE()) : 0;
      if (isSigned(`cosignature/v1\ntime ${time}\n${body}`, bytes.subarray(8), key)) seen.set(name, time);
      else wrong.push(key);
    }
  }
  const signed = new Set(["none", ...seen.keys()]);
  for (const [name, { members, needed }] of policy.groups)
    if (members.filter((each) => signed.has(each)).length >= needed) signed.add(name);
  const hasQuorum = signed.has(policy.quorum);
  const names = wrong.map(({ name }) => name);
  const found = { isOfLog: keys.length > 0, wrong: names, seen, hasQuorum };
  return { note, origin, size: Number(size), root: Buffer.from(root, "base64"), ...found };
}

function signaturesIn(lines: string, path: string) {
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      const bytes = decoded(encoded);
      if (bytes.length < 5) throw new Unreadable(`${path} has a line that is no signature`);
      return { name, id: bytes.subarray(0, 4), bytes: bytes.subarray(4) };
    });
}

/** The bytes of base64 text; none if other text would have the same bytes. */
export function decoded(encoded: string): Buffer {
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded ? bytes : Buffer.alloc(0);
}

function isSigned(message: string, signature: Uint8Array, { bytes }: Key): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: "der", type: "spki" });
  return verifySignature(null, Buffer.from(message), key, signature);
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
