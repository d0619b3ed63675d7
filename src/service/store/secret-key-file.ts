import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod, constants, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../kernel/error-codes.ts";

export function secretKeyFile(dataFolder: string): string {
  return join(dataFolder, "secret.key");
}

const KEY_BYTES = 32;

/** Reads the key, or creates it. Synchronous, because it is called within a write, once per service. */
export function keyInFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeKey(file);
    return readFileSync(file, "utf8");
  }
}

/** Creates the whole file or none. If another thread creates it at the same time, that key is used. */
function makeKey(file: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
}

/** @returns whether there is a key */
export async function copySecretKey(from: string, to: string): Promise<boolean> {
  const copy = secretKeyFile(to);
  try {
    await copyFile(secretKeyFile(from), copy, constants.COPYFILE_EXCL);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
  await chmod(copy, 0o600);
  return true;
}
