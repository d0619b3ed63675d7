import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Folder of installed versions on Debian and related systems. */
const VERSIONS = "/usr/lib/postgresql";

/** The programs of the oldest PostgreSQL of the system; undefined if there is none. */
export function installedPostgres(): { version: string; programs: string } | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(a) - Number(b)) : [];
  return versions
    .map((version) => ({ version, programs: join(VERSIONS, version, "bin") }))
    .find(({ programs }) => existsSync(join(programs, "initdb")));
}
