import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a folder on the local disk that nobody else may enter.
 *
 * @param purpose what its name begins with
 * @throws Error that says which folder cannot be written, and how to name another one
 */
export async function makeTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const parent = tmpdir();
  const path = await mkdtemp(join(parent, `${purpose}-`)).catch((cause: unknown) => {
    throw new Error(
      `The folder for temporary files, ${parent}, cannot be written: make it writable, or name another one in TMPDIR`,
      { cause },
    );
  });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
