import { createPublicKey, hash, type KeyObject, verify as verifySignature } from "node:crypto";
import { decoded } from "./note-signatures.ts";
import { type Files, Unreadable, utf8 } from "./package-archive.ts";
import { type Json, json, type Say } from "./package-values.ts";

/*
 * Verifies the statements of a package, as in DSSE v1 and in-toto's Statement v1. It shares no code with the service.
 *
 * - The key that the envelope names has signed it: a key of your `--keys`, or else of the package.
 * - The event of the statement in the log has the sha256 of its payload. So the policy's keys prove it, too.
 */

interface Checking {
  /** Text of your own evidence-keys.json. */
  readonly keys: string | undefined;
  readonly events: readonly { readonly index: number; readonly event: Json }[];
  /** The package has a checkpoint, so each statement needs an event. */
  readonly hasLog: boolean;
  /** Names of files that an event explains. */
  readonly explained: Set<string>;
  readonly lines: string[];
  readonly tampered: Say;
  readonly undecided: Say;
}

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

interface KnownKey {
  readonly key: KeyObject;
  /** Unix seconds from which it signs nothing; NaN if it is in use. */
  readonly retiredAt: number;
}

const KEYS = "statements/evidence-keys.json";
const STATEMENT = /^statements\/([\da-f-]+)\.intoto\.json$/;
const PAYLOAD_TYPE = "application/vnd.in-toto+json";

export function checkStatements(
  files: Files,
  { keys, events, hasLog, explained, lines, tampered, undecided }: Checking,
): void {
  let known: KnownKeys | undefined;
  const signed = new Map(
    events.filter(({ event }) => event["type"] === "statement.signed").map((each) => [id(each.event), each]),
  );
  for (const [name, content] of files) {
    const [, ofStatement] = STATEMENT.exec(name) ?? [];
    if (ofStatement === undefined) continue;
    known ??= statementKeysIn(keys ?? utf8(files.get(KEYS) ?? new Uint8Array()));
    const { payload, keyId, isSigned, retiredAt } = opened(name, content, known);
    const found = signed.get(ofStatement);
    const { digest, key_id } = Object(found?.event["data"]);
    signed.delete(ofStatement);
    explained.add(name).add(KEYS);
    if (isSigned === false) tampered(`${name}: its signature is wrong`);
    else if (hasLog && (digest !== hash("sha256", payload) || key_id !== keyId))
      tampered(`${name}: no event of the log recorded it`);
    else if (isSigned === undefined) undecided(`${name}: signed by the unknown key ${keyId}`);
    else if (Number(found?.event["at"]) > retiredAt) tampered(`${name}: signed by ${keyId} after its end`);
    else if (found === undefined && keys === undefined)
      undecided(`${name}: signed by a key that only the package names`);
    else lines.push(`proven     ${name}  ${subjectOf(name, payload)}`);
  }
  for (const [ofStatement, { index }] of signed)
    tampered(`log/events/${index}.json: the package lacks its statement ${ofStatement}`);
}

function id(event: Json): string {
  return String(event["subject_id"]);
}

type KnownKeys = ReadonlyMap<string, KnownKey>;

export function statementKeysIn(text: string): KnownKeys {
  try {
    const keys: { public_key: string; retired_at: string }[] = JSON.parse(text).keys;
    return new Map(
      keys.map(({ public_key, retired_at }) => {
        const key = createPublicKey(public_key);
        const retiredAt = Date.parse(retired_at) / 1000;
        if (retired_at && Number.isNaN(retiredAt)) throw new Error(`retired_at ${retired_at}`);
        return [keyIdOf(key), { key, retiredAt }];
      }),
    );
  } catch (cause) {
    throw new Unreadable(`the keys of the statements are no evidence-keys.json: ${cause}`);
  }
}

/** The ID that events name: the fingerprint of `ssh-keygen -l`. A list of keys could give another key the same name. */
function keyIdOf(key: KeyObject): string {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const parts = ["ecdsa-sha2-nistp256", "nistp256", point].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, Buffer.from(part)];
  });
  return `SHA256:${hash("sha256", Buffer.concat(parts), "base64").replace(/=+$/, "")}`;
}

/** `isSigned` is undefined if no known key has the ID. */
function opened(name: string, content: Uint8Array, known: KnownKeys) {
  try {
    const { payload: encoded, payloadType, signatures }: Envelope = Object(json(name, content));
    if (signatures.length !== 1) throw new Unreadable(name);
    const payload = decoded(encoded);
    const start = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
    const message = Buffer.concat([Buffer.from(start), payload]);
    const [{ keyid, sig } = { keyid: "", sig: "" }] = signatures;
    const { key, retiredAt = Number.NaN } = known.get(keyid) ?? {};
    const isSigned =
      key && payloadType === PAYLOAD_TYPE && verifySignature("sha256", message, key, decoded(sig));
    return { payload, keyId: String(keyid), isSigned, retiredAt };
  } catch {
    throw new Unreadable(`${name} is not a signed statement`);
  }
}

function subjectOf(name: string, payload: Uint8Array): string {
  try {
    const { predicateType, subject, predicate } = Object(json(name, payload));
    const result = predicate.verificationResult ? `  ${predicate.verificationResult}` : "";
    return `${predicateType}  ${subject[0].name}${result}`;
  } catch {
    throw new Unreadable(`${name} is not a statement`);
  }
}
