import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planted, temporaryDirectory } from "../temporary-directory.ts";

export const PASSWORD = "hunter2-s3cret";

/** `user:password` as in Docker's file. */
export function auth(user = "ada", password = PASSWORD): string {
  return Buffer.from(`${user}:${password}`).toString("base64");
}

/** The variables of a job with this Docker config. */
export function withDockerConfig(config: unknown): Record<string, string> {
  const text = typeof config === "string" ? config : JSON.stringify(config);
  return { DOCKER_CONFIG: planted({ "config.json": text }) };
}

/** A folder for PATH with `docker-credential-fake`, a shell script, and the programs that every script needs. */
export function withHelper(script: string): { PATH: string; folder: string } {
  const folder = join(temporaryDirectory(), "with blank");
  mkdirSync(folder);
  const path = join(folder, "docker-credential-fake");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { PATH: `${folder}:/usr/bin:/bin`, folder };
}
