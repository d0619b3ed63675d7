import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type PostgresServer, startPostgres } from "../../test/postgres/server.ts";

const SOURCE = fileURLToPath(new URL("slow-flush.c", import.meta.url));

/**
 * Starts a PostgreSQL server whose log takes this time longer for each flush. As on a slow disk, one flush serves all
 * commits whose log was written before it began. Returns undefined on a machine without Linux and a C compiler: no
 * setting does the same, because `commit_delay` waits before the log is written, and at most 100 ms.
 */
export async function startSlowPostgres(flushMs: number): Promise<PostgresServer | undefined> {
  if (process.platform !== "linux") return undefined;
  const folder = await mkdtemp(join(tmpdir(), "bench-flush-"));
  // The server may run as another user.
  await chmod(folder, 0o755);
  const remove = () => rm(folder, { recursive: true, force: true });
  const library = join(folder, "slow-flush.so");
  try {
    await promisify(execFile)("cc", ["-shared", "-fPIC", "-O1", "-o", library, SOURCE]);
    const server = await startPostgres({
      settings: ["wal_sync_method = fdatasync"],
      env: { LD_PRELOAD: library, FLUSH_MS: String(flushMs) },
    });
    return {
      ...server,
      async dispose() {
        await server.dispose();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
