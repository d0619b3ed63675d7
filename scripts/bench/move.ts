import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPostgres } from "../../test/postgres/server.ts";
import { writeLargeData } from "./large-data.ts";
import type { Measurements } from "./rows.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** Duration of moving an organization that has used the service for years to PostgreSQL. */
export async function move(): Promise<Measurements<"move">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-move-"));
  const server = await startPostgres();
  try {
    const data = join(folder, "data");
    await mkdir(data);
    await writeLargeData(data);
    const to = ["--to", await server.create("moved"), "--attachments", join(folder, "files")];
    const startedAt = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, "move", "--from", data, ...to]);
    const seconds = (performance.now() - startedAt) / 1000;
    const rows = /^Moved ([\d,]+ rows in \d+ tables)/.exec(stdout)?.[1];
    if (rows === undefined) throw new Error(`The move reported no rows: ${stdout}`);
    return {
      move: { value: seconds, note: `${rows}, to a server with default settings on the same machine` },
    };
  } finally {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
