import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { InputError } from "../../../api/client/errors.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
const VERSION = "v1";

export interface SealingKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Parses a key of 32 bytes as base64 or hex. `name` is its option, variable or file.
 * @throws {InputError} that does not repeat the key
 */
export function readSealingKey(text: string, name: string): SealingKey {
  const trimmed = text.trim();
  const isHex = /^[\da-f]{64}$/i.test(trimmed);
  const isBase64 = /^[\w+/-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) {
    const problem = `must be ${KEY_BYTES} bytes as base64 or hex. Create one with openssl rand -base64 ${KEY_BYTES}`;
    throw new InputError([{ input: name, problem }]);
  }
  const bytes = Buffer.from(trimmed, isHex ? "hex" : "base64");
  return { id: createHash("sha256").update("key id").update(bytes).digest("hex").slice(0, 16), bytes };
}

export function isSealed(text: string): boolean {
  return text.startsWith(`${VERSION}:`);
}

/** A digest for finding a secret, which requires the key. */
export function keyedHash(text: string, { bytes }: SealingKey): string {
  return createHmac("sha256", bytes).update(`find ${text}`).digest("hex");
}

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
 * Encrypts as `v1:<key id>:<iv>:<ciphertext and tag>`. The text is bound to its owner, so that write access to the
 * database does not allow moving a secret to another owner.
 */
export function seal(secret: string, owner: string, key: SealingKey): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(owner, key));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, key.id, iv.toString("base64url"), sealed.toString("base64url")].join(":");
}

/** @throws {Unopened} for another key or owner */
export function open(sealed: string, owner: string, key: SealingKey): string {
  const [version, keyId, iv = "", text = ""] = sealed.split(":");
  const bytes = Buffer.from(text, "base64url");
  if (version !== VERSION || bytes.length < TAG_BYTES) throw damaged();
  if (keyId !== key.id) {
    const message = `This secret is encrypted with the key ${keyId}, but the service has the key ${key.id}`;
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
  return new Unopened("damaged", "This secret is damaged or belongs to another owner");
}
