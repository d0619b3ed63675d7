import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Log } from "../../kernel/log.ts";

/** How a file compares with what was kept under its name, which is the sha256 of that. */
export type Condition = "whole" | "changed" | "missing";
export type Damage = Exclude<Condition, "whole">;

/** Kept files as they are read, each compared with the sha256 it is kept under. */
export interface CheckedFiles {
  /** Reads a file to its end and says how it is. Whoever gives a file asks this first. */
  conditionOf(sha256: string): Promise<Condition>;
  /**
   * What a file holds. It is opened when it is first read, and then stays open: an equal file that takes its place
   * meanwhile does not disturb. One that is not what was kept fails at its end.
   */
  contentOf(sha256: string): ReadableStream<Uint8Array>;
  /** How many files were found damaged, and not found whole since. */
  damage(): Record<Damage, number>;
}

const CHUNK_BYTES = 256 * 1024;

/** @param log takes an entry for each file that is found damaged */
export function checkFiles(pathOf: (sha256: string) => string, log: Log): CheckedFiles {
  const damaged = new Map<string, Damage>();

  function note(sha256: string, condition: Condition): void {
    if (condition === damaged.get(sha256)) return;
    damaged.delete(sha256);
    if (condition === "whole") return;
    damaged.set(sha256, condition);
    const problem = condition === "changed" ? "was changed" : "is missing";
    log({ level: "error", message: `The attachment ${sha256} ${problem}: ${pathOf(sha256)}` });
  }

  async function* contentOf(sha256: string): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    for await (const chunk of chunksOf(pathOf(sha256))) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest("hex") === sha256) return;
    note(sha256, "changed");
    throw new Error(`The attachment ${sha256} was changed while it was given`);
  }

  return {
    async conditionOf(sha256) {
      const found = await sha256Of(pathOf(sha256));
      const condition = found === undefined ? "missing" : found === sha256 ? "whole" : "changed";
      note(sha256, condition);
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

/** Sorts files by how they are. */
export async function sortedByCondition<F extends { sha256: string }>(
  files: readonly F[],
  { conditionOf }: Pick<CheckedFiles, "conditionOf">,
): Promise<Record<Condition, F[]>> {
  const sorted: Record<Condition, F[]> = { whole: [], changed: [], missing: [] };
  for (const file of files) sorted[await conditionOf(file.sha256)].push(file);
  return sorted;
}

/** The sha256 of what a file holds, in hex; undefined when there is no such file. */
async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of chunksOf(path)) hash.update(chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return hash.digest("hex");
}

function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}
