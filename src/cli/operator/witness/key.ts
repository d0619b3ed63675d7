import { readFile, writeFile } from "node:fs/promises";
import {
  cosignerKey,
  type NoteSigner,
  newSigner,
  parseSigner,
  signerText,
} from "../../../evidence/log/note.ts";
import { type Environment, given, UsageError } from "../../usage.ts";

/** Creates a private key in a new file. @returns the public key, for policies */
export async function createKey(file: string, name: string | undefined): Promise<string> {
  if (name === undefined) throw new UsageError("--new-key needs --name NAME");
  if (/[\s+]/.test(name)) throw new UsageError(`--name must not have spaces or '+', got '${name}'`);
  const signer = newSigner(name);
  await writeFile(file, `${signerText(signer)}\n`, { flag: "wx", mode: 0o600 }).catch((cause: unknown) => {
    throw new UsageError(`--new-key: cannot create ${file}. An existing key is never replaced`, { cause });
  });
  return cosignerKey(signer);
}

/** Reads the private key. @throws {UsageError} */
export async function readKey(file: string | undefined, environment: Environment): Promise<NoteSigner> {
  const variable = given(environment, "EVIDENCE_WITNESS_KEY");
  if (file === undefined && variable === undefined)
    throw new UsageError("--key-file FILE or EVIDENCE_WITNESS_KEY is required. --new-key FILE creates a key");
  const text =
    file === undefined
      ? (variable ?? "")
      : await readFile(file, "utf8").catch((cause: unknown) => {
          throw new UsageError(`--key-file: cannot read ${file}`, { cause });
        });
  try {
    return parseSigner(text.trim());
  } catch (error) {
    const source = file === undefined ? "EVIDENCE_WITNESS_KEY" : `--key-file ${file}`;
    throw new UsageError(`${source}: ${error instanceof Error ? error.message : error}`);
  }
}
