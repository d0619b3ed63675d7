import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where Debian and its kin put the versions that are installed. */
const VERSIONS = "/usr/lib/postgresql";

/** The programs of the PostgreSQL that the system has, its oldest one; undefined when it has none. */
export function installedPostgres(): { version: string; programs: string } | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(a) - Number(b)) : [];
  return versions
    .map((version) => ({ version, programs: join(VERSIONS, version, "bin") }))
    .find(({ programs }) => existsSync(join(programs, "initdb")));
}
