import {
  keyedHash,
  open,
  readSealingKey,
  type SealingKey,
  seal,
  Unopened,
} from "./delivery/outgoing/sealed.ts";
import { Conflict } from "./kernel/errors.ts";
import type { SecretBox } from "./operation/context.ts";
import { keyInFile, secretKeyFile } from "./store/secret-key-file.ts";
import { sha256 } from "./store/target-addresses.ts";

interface KeyPlace {
  /** The operator's key. */
  readonly secretKey?: SealingKey;
  readonly dataFolder?: string;
  /** The records are in a database that other instances may share, and not in the data folder. */
  readonly database?: object;
}

/**
 * Keeps secrets with the operator's key. Without one, a service whose records are in a data folder makes a key there
 * when it first needs it. One on a database has none: what an instance made for itself others could not open.
 */
export function openSecretBox({ secretKey, dataFolder, database }: KeyPlace): SecretBox {
  let known = secretKey;
  const hasKey = () => secretKey !== undefined || (database === undefined && dataFolder !== undefined);
  const key = (): SealingKey => {
    if (known === undefined) {
      if (dataFolder === undefined || !hasKey()) throw new Conflict(NO_KEY);
      const file = secretKeyFile(dataFolder);
      known = readSealingKey(keyInFile(file), file);
    }
    return known;
  };
  return {
    seal: (owner, text) => seal(text, owner, key()),
    hash: (text) => (hasKey() ? keyedHash(text, key()) : sha256(text)),
    open(owner, sealed) {
      try {
        return open(sealed, owner, key());
      } catch (error) {
        if (error instanceof Unopened) throw new Conflict(UNOPENED[error.reason]);
        throw error;
      }
    },
  };
}

const NO_KEY =
  "The service has no key to keep secrets with: start it with --secret-key-file FILE or EVIDENCE_SECRET_KEY, " +
  "which hold 32 bytes as base64 or hex";

const UNOPENED = {
  other_key:
    "A secret was kept with another key than the service has now: start it with the former key, or save the rules again and rotate the secrets",
  damaged: "A secret is not any more what was kept: rotate it",
} as const;
