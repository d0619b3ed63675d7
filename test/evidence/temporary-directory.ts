import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A new directory, removed after the test. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "evidence-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A text or bytes is a file, an object a directory, a link its target. */
export interface Tree {
  readonly [name: string]: string | Uint8Array | Tree | Link;
}

export class Link {
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }
}

export function plant(directory: string, tree: Tree): string {
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(tree)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content instanceof Link) symlinkSync(content.target, path);
    else if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(path, content);
    else plant(path, content);
  }
  return directory;
}

/** A new directory that contains `tree`. */
export function planted(tree: Tree): string {
  return plant(temporaryDirectory(), tree);
}
