import { readFile } from "node:fs/promises";
import { MIGRATE, type Migrate } from "../service/store/postgres/migrate-modes.ts";
import type { PostgresOptions } from "../service/store/postgres/open-store.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/** The options that say in which database the records are. */
export const DATABASE_OPTIONS = {
  "database-url": { type: "string" },
  "database-url-file": { type: "string" },
  "database-password-file": { type: "string" },
  "database-pool": { type: "string" },
  "database-migrate": { type: "string" },
} as const;

const NEEDS_URL = ["database-password-file", "database-pool", "database-migrate"] as const;

type Values = { readonly [Name in keyof typeof DATABASE_OPTIONS]?: string | undefined };

/**
 * The database that was named, as options or variables: `--database-url` or `EVIDENCE_DATABASE_URL`.
 *
 * @returns undefined when none was
 * @throws {UsageError}
 */
export async function databaseFrom(
  values: Values,
  environment: Environment,
): Promise<PostgresOptions | undefined> {
  const text = (name: keyof Values) =>
    values[name] ?? given(environment, `EVIDENCE_${name.toUpperCase().replaceAll("-", "_")}`);
  const file = text("database-url-file");
  const named = text("database-url");
  if (named !== undefined && file !== undefined) {
    throw new UsageError("Say where the database is once: --database-url or --database-url-file");
  }
  const url = file === undefined ? named : await contentOf(file);
  if (url === undefined) {
    const lonely = NEEDS_URL.find((name) => values[name] !== undefined);
    if (lonely !== undefined) throw new UsageError(`--${lonely} needs --database-url`);
    return undefined;
  }
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? "")) {
    // What was given may hold a password, so that it is not repeated.
    throw new UsageError(
      "--database-url is not an address such as postgres://user@host:5432/name. A password with : / ? # @ % goes into " +
        "--database-password-file, or has %3A for : and so on",
    );
  }
  const passwordFile = text("database-password-file");
  const pool = text("database-pool");
  const migrate = text("database-migrate");
  return {
    url,
    ...(passwordFile === undefined ? {} : { passwordFile }),
    ...(pool === undefined ? {} : { pool: poolSize(pool) }),
    ...(migrate === undefined ? {} : { migrate: migrateMode(migrate) }),
  };
}

async function contentOf(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new UsageError(`The file ${file} with the address of the database cannot be read`);
  }
}

function poolSize(text: string): number {
  const size = Number(text);
  if (!/^\d{1,3}$/.test(text) || size < 1)
    throw new UsageError(`'${text}' is no number of connections: 1 to 999 are`);
  return size;
}

function migrateMode(text: string): Migrate {
  const mode = MIGRATE.find((each) => each === text);
  if (mode === undefined)
    throw new UsageError(`'${text}' cannot be --database-migrate: ${MIGRATE.join(", ")} can`);
  return mode;
}
