import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { FAILING } from "../kubernetes/failing-kubectl.ts";
import { COMPILE_CACHE } from "../program-variables.ts";

const FAKE = fileURLToPath(new URL("../kubernetes/fake-kubectl.ts", import.meta.url));

/** Puts a kubectl made of a script on PATH until the test ends. */
export function kubectlOf(script: string) {
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "kubectl"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "kubectl"), 0o755);
  const noted = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim().split("\n") : [];
  return { folder, noted, env: { PATH: `${bin}:/usr/bin:/bin`, FAKE_STATE: folder, ...COMPILE_CACHE } };
}

/** A PATH with a shell and no kubectl, whatever the machine has. */
export function noKubectl() {
  const { folder, env } = kubectlOf("");
  rmSync(join(folder, "bin", "kubectl"));
  symlinkSync("/bin/sh", join(folder, "bin", "sh"));
  return { env: { ...env, PATH: join(folder, "bin") } };
}

/** The fake cluster, with these variables. */
export function cluster(variables: Readonly<Record<string, string>>) {
  const { env, ...rest } = kubectlOf(`exec '${process.execPath}' '${FAKE}' "$@"`);
  return { ...rest, env: { ...env, ...variables } };
}

/** A kubectl that fails with this text. */
export function failingKubectl(stderr: string) {
  const program = kubectlOf(FAILING);
  writeFileSync(join(program.folder, "stderr"), stderr);
  return program;
}

/** A kubectl that prints this as the list of pods, and the rest of its output on stderr. */
export function kubectlPrinting(list: unknown, stderr = "") {
  const program = kubectlOf('cat "$FAKE_STATE/stderr" >&2; cat "$FAKE_STATE/list"');
  writeFileSync(join(program.folder, "list"), typeof list === "string" ? list : JSON.stringify(list));
  writeFileSync(join(program.folder, "stderr"), stderr);
  return program;
}

export function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
