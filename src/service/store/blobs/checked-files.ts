import { createHash } from "node:crypto";
import { inParallel } from "../../kernel/in-parallel.ts";
import type { Log } from "../../kernel/log.ts";
import { Altered, type LocalFile, NotStored, type Place } from "./place.ts";

/** Condition of a stored file, compared with the sha256 in its name. */
export type Condition = "whole" | "changed" | "missing";
export type Damage = Exclude<Condition, "whole">;

export interface CheckedFiles {
  conditionOf(sha256: string): Promise<Condition>;
  /** Checks a file, without reading it if the place has compared it itself. */
  glance(file: Pick<LocalFile, "sha256" | "size">): Promise<Condition>;
  /** Opened at the first read and kept open. Altered content fails before its last chunk. */
  contentOf(sha256: string): ReadableStream<Uint8Array>;
  damage(): Record<Damage, number>;
}

const CHECKS_AT_ONCE = 4;

export function checkFiles(place: Pick<Place, "addressOf" | "read" | "glance">, log: Log): CheckedFiles {
  const damaged = new Map<string, Damage>();

  function note(sha256: string, condition: Condition): void {
    if (condition === damaged.get(sha256)) return;
    damaged.delete(sha256);
    if (condition === "whole") return;
    damaged.set(sha256, condition);
    const problem = condition === "changed" ? "was changed" : "is missing";
    log({ level: "error", message: `The attachment ${sha256} ${problem}: ${place.addressOf(sha256)}` });
  }

  async function* contentOf(sha256: string): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    let last: Uint8Array | undefined;
    for await (const chunk of place.read(sha256)) {
      hash.update(chunk);
      if (last !== undefined) yield last;
      last = chunk;
    }
    if (hash.digest("hex") === sha256) {
      if (last !== undefined) yield last;
      return;
    }
    note(sha256, "changed");
    throw new Error(`The attachment ${sha256} was changed while it was read`);
  }

  async function conditionOf(sha256: string): Promise<Condition> {
    const condition = await readCondition(place, sha256);
    note(sha256, condition);
    return condition;
  }

  return {
    conditionOf,
    async glance(file) {
      const condition = await place.glance?.(file);
      if (condition === undefined) return conditionOf(file.sha256);
      note(file.sha256, condition);
      return condition;
    },
    contentOf: (sha256) => ReadableStream.from(contentOf(sha256)),
    damage() {
      const found = [...damaged.values()];
      const count = (damage: Damage) => found.filter((each) => each === damage).length;
      return { changed: count("changed"), missing: count("missing") };
    },
  };
}

export async function sortedByCondition<F extends { sha256: string }>(
  files: readonly F[],
  { conditionOf }: Pick<CheckedFiles, "conditionOf">,
): Promise<Record<Condition, F[]>> {
  const sorted: Record<Condition, F[]> = { whole: [], changed: [], missing: [] };
  const conditions = await inParallel(files, CHECKS_AT_ONCE, ({ sha256 }) => conditionOf(sha256));
  for (const [index, file] of files.entries()) sorted[conditions[index] ?? "missing"].push(file);
  return sorted;
}

async function readCondition({ read }: Pick<Place, "read">, sha256: string): Promise<Condition> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of read(sha256)) hash.update(chunk);
  } catch (error) {
    if (error instanceof NotStored) return "missing";
    if (error instanceof Altered) return "changed";
    throw error;
  }
  return hash.digest("hex") === sha256 ? "whole" : "changed";
}
