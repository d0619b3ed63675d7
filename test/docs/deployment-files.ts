import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { root } from "./pages.ts";

/** A file that operators copy, by its name in `docs/deployment`. */
export function deploymentFile(name: string): string {
  return readFileSync(`${root}docs/deployment/${name}`, "utf8");
}

/** The text with every occurrence of a piece replaced; fails if there is none, so that changed files are noticed. */
export function replaced(text: string, piece: string, by: string): string {
  if (!text.includes(piece)) throw new Error(`The file does not contain '${piece}'`);
  return text.replaceAll(piece, by);
}

/** Whether a program is on this machine. A test that needs it names it as missing if not, and then runs nothing. */
export function has(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
