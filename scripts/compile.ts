import { spawnSync } from "node:child_process";

/** Compiles the sources into lib/. */
export function compileSources(root: string): void {
  const { status } = spawnSync("npm run --silent compile", { cwd: root, stdio: "inherit", shell: true });
  if (status !== 0) throw new Error("The sources do not compile");
}
