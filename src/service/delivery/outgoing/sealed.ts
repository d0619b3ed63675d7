import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { InputError } from "../../../api/client/errors.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
const VERSION = "v1";

/** The operator's key, by which secrets are kept. */
export interface SealingKey {
  /** Tells it from others, and gives nothing of it away. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the operator's key: 32 bytes as base64 or hex, as `openssl rand -base64 32` prints them.
 *
 * @param name of the option, variable or file that it is from, for the message
 * @throws {InputError} for what is none. Its message does not repeat it.
 */
export function readSealingKey(text: string, name: string): SealingKey {
  const trimmed = text.trim();
  const isHex = /^[\da-f]{64}$/i.test(trimmed);
  const isBase64 = /^[\w+/-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) {
    const problem = `must be ${KEY_BYTES} bytes as base64 or hex: make one with openssl rand -base64 ${KEY_BYTES}`;
    throw new InputError([{ input: name, problem }]);
  }
  const bytes = Buffer.from(trimmed, isHex ? "hex" : "base64");
  return { id: createHash("sha256").update("key id").update(bytes).digest("hex").slice(0, 16), bytes };
}

/** Whether a text is a sealed secret. A web address is not. */
export function isSealed(text: string): boolean {
  return text.startsWith(`${VERSION}:`);
}

/** A digest by which a secret is found again, and which only the key can make. */
export function keyedHash(text: string, { bytes }: SealingKey): string {
  return createHmac("sha256", bytes).update(`find ${text}`).digest("hex");
}

/** Why a sealed secret cannot be opened. */
export type UnopenedReason = "other_key" | "damaged";

export class Unopened extends Error {
  override readonly name = "Unopened";
  readonly reason: UnopenedReason;

  constructor(reason: UnopenedReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A secret as it is kept: `v1:<id of the key>:<iv>:<ciphertext and tag>`. It can be opened for its owner alone, so that
 * nobody who can write to the database gives one owner the secret of another.
 */
export function seal(secret: string, owner: string, key: SealingKey): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(owner, key));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, key.id, iv.toString("base64url"), sealed.toString("base64url")].join(":");
}

/**
 * The secret that was sealed for an owner.
 *
 * @throws {Unopened} when it was sealed with another key, or is not what was sealed for this owner
 */
export function open(sealed: string, owner: string, key: SealingKey): string {
  const [version, keyId, iv = "", text = ""] = sealed.split(":");
  const bytes = Buffer.from(text, "base64url");
  if (version !== VERSION || bytes.length < TAG_BYTES) throw damaged();
  if (keyId !== key.id) {
    const message = `This secret was sealed with the key ${keyId}, and the key that is given is ${key.id}`;
    throw new Unopened("other_key", message);
  }
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(iv, "base64url"), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(owner, key));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    throw damaged();
  }
}

function boundTo(owner: string, { id }: SealingKey): Buffer {
  return Buffer.from(`${VERSION}:${id}:${owner}`);
}

function damaged(): Unopened {
  return new Unopened("damaged", "This secret is damaged, or is another's than it is kept for");
}
