import { createPublicKey, hash, verify as verifySignature } from "node:crypto";
import { Unreadable } from "./package-archive.ts";

// Keys, policies and signatures of notes, as in C2SP's signed-note, tlog-policy and tlog-cosignature.

export interface Key {
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
/** The start of a public key in the form that Node reads. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export function policyIn(policy: string): Policy {
  const logs: Key[] = [];
  const witnesses = new Map<string, Key>();
  const groups = new Map<string, { needed: number; members: string[] }>();
  let quorum = "none";
  for (const line of policy.split("\n")) {
    const [word = "", first = "", second = "", ...rest] = line.trim().split(/\s+/);
    if (word === "" || word.startsWith("#")) continue;
    if (word === "log") logs.push(keyIn(first));
    else if (word === "witness") witnesses.set(first, keyIn(second));
    else if (word === "quorum") quorum = first;
    else if (word === "group") {
      const needed = second === "any" ? 1 : second === "all" ? rest.length : Number(second);
      groups.set(first, { needed, members: rest });
    } else throw new Unreadable(`the policy has an unknown line: ${line}`);
  }
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

export function signaturesIn(lines: string) {
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      const bytes = decoded(encoded);
      if (bytes.length < 5) throw new Unreadable("log/checkpoint has a line that is no signature");
      return { name, id: bytes.subarray(0, 4), bytes: bytes.subarray(4) };
    });
}

/** The bytes of base64 text; none if other text would have the same bytes. */
export function decoded(encoded: string): Buffer {
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded ? bytes : Buffer.alloc(0);
}

export function isSigned(message: string, signature: Uint8Array, { bytes }: Key): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: "der", type: "spki" });
  return verifySignature(null, Buffer.from(message), key, signature);
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
