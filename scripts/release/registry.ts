import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "./outputs.ts";
import { mustRun, runProgram } from "./program.ts";

/** Digest of a file in npm's form: `sha512-…`. */
export function integrityOfFile(path: string): string {
  return `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
}

/** @throws {Refusal} unless the file is the packed one */
export function requireIntegrity(path: string, packed: string): void {
  const found = integrityOfFile(path);
  if (found !== packed) {
    throw new Refusal(
      `${path} is not the file that was packed: it has ${found}, but the pack job reported ${packed}`,
    );
  }
}

/** A field of a package on the registry; undefined if the package or version does not exist. */
export function fieldOnRegistry(specification: string, field: string): string | undefined {
  const args = ["view", specification, field, "--json", "--prefer-online"];
  const { status, stdout, stderr } = runProgram("npm", args);
  if (status === 0) return stdout.trim() === "" ? undefined : String(JSON.parse(stdout));
  if (`${stdout}${stderr}`.includes("E404")) return undefined;
  throw new Error(`npm view ${specification} failed:\n${stdout}${stderr}`);
}

/** A registry shows a new version after some seconds, rarely minutes. */
const LOOKS = 60;
const PAUSE_MS = Number(process.env["PUBLISH_PAUSE_MS"] ?? 5_000);

/**
 * Publishes a folder or a packed file, and waits until the registry shows it.
 *
 * @returns the registry's digest
 * @throws {Refusal} when the registry does not show it in time
 */
export async function publishPackage(path: string, specification: string): Promise<string> {
  mustRun("npm", ["publish", path, "--access", "public"]);
  for (let look = 0; look < LOOKS; look++) {
    const shown = fieldOnRegistry(specification, "dist.integrity");
    if (shown !== undefined) return shown;
    await sleep(PAUSE_MS);
  }
  throw new Refusal(
    `${specification} was published, but the registry does not show it yet: run this again later`,
  );
}
