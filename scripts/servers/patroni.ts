import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { installedPostgres } from "../../test/postgres/installed.ts";
import { freePort, OWNER } from "../../test/postgres/server.ts";
import { startHaproxy } from "./haproxy.ts";
import { missingPrograms, type Program, startProgram, waitUntil } from "./programs.ts";

const CLUSTER = "evidence";
const USER = "evidence";

/** A PostgreSQL server that Patroni runs. */
export interface Member {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  /** Port of Patroni's interface. */
  readonly apiPort: number;
  /** Folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly etcdPort: number;
}

/** Two PostgreSQL servers, a leader and its synchronous standby, which Patroni exchanges. HAProxy connects to the leader. */
export interface PatroniCluster {
  /** Creates a database and returns its address. */
  create(database: string): Promise<string>;
  /** The address of a database with both servers, so that reads continue without a leader. */
  readUrl(database: string): string;
  /** Kills the leader and its Patroni, or exchanges the two. Resolves when the other server leads. */
  failOver(how: "kill" | "switchover"): Promise<void>;
  /** Starts a killed Patroni. Resolves when the leader has a synchronous standby. */
  recover(): Promise<void>;
  /** Stops all programs and removes their data. */
  dispose(): Promise<void>;
}

/** Names of missing programs. */
export function missingForPatroni(): string[] {
  const postgres = installedPostgres() === undefined ? ["PostgreSQL in /usr/lib/postgresql"] : [];
  return [...missingPrograms(["etcd", "haproxy", "patroni", "patronictl"]), ...postgres];
}

/** The configuration of a member, as JSON, which is also YAML. */
export function patroniConfig({ name, folder, port, apiPort, programs, etcdPort }: Member): string {
  const api = `127.0.0.1:${apiPort}`;
  const server = `127.0.0.1:${port}`;
  const config = {
    scope: CLUSTER,
    name,
    restapi: { listen: api, connect_address: api },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        // The shortest time after which Patroni replaces a leader that says nothing.
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
    },
    postgresql: {
      listen: server,
      connect_address: server,
      bin_dir: programs,
      data_dir: join(folder, "data"),
      pgpass: join(folder, "pgpass"),
      authentication: { superuser: { username: USER }, replication: { username: "replicator" } },
      pg_hba: ["local all all trust", "host all,replication all 127.0.0.1/32 trust"],
      parameters: { unix_socket_directories: folder },
    },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Starts etcd, two members and HAProxy on the loopback address, with their files in a temporary folder. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-patroni-"));
  if (OWNER.uid !== undefined) await chown(folder, OWNER.uid, OWNER.gid);
  const programs = installedPostgres()?.programs ?? "";
  const etcdPort = await freePort();
  const members: Member[] = [];
  for (const name of ["a", "b"]) {
    const own = { folder: join(folder, name), port: await freePort(), apiPort: await freePort() };
    members.push({ name, ...own, programs, etcdPort });
  }
  const port = await freePort();
  const patronis = new Map<Member, Program>();
  const others: Program[] = [];

  const recover = async () => {
    for (const member of members) {
      if (!patronis.has(member)) patronis.set(member, await startPatroni(member));
    }
    await waitUntil("Patroni has a leader and a synchronous standby", async () =>
      (await rolesOf(members)).includes("sync_standby"),
    );
  };
  const dispose = async () => {
    for (const program of [...patronis.values(), ...others]) await program.kill();
    for (const member of members) await killPostgres(member);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    others.push(await startEtcd(folder, etcdPort));
    for (const member of members) await writeConfig(member);
    const servers = members.map(({ port, apiPort }) => ({ port, checkPort: apiPort }));
    others.push(await startHaproxy(folder, { mode: "tcp", port, check: "/primary", servers }));
    await recover();
  } catch (error) {
    await dispose();
    throw error;
  }
  const urlOf = (hosts: string, database: string) => `postgres://${USER}@${hosts}/${database}`;
  const url = (database: string) => urlOf(`127.0.0.1:${port}`, database);
  return {
    readUrl: (database) => urlOf(members.map((member) => `127.0.0.1:${member.port}`).join(), database),
    async create(database) {
      const client = new pg.Client(url("postgres"));
      await client.connect();
      await client.query(`create database ${database}`);
      await client.end();
      return url(database);
    },
    async failOver(how) {
      const [leader] = await leaders(members);
      if (leader === undefined) throw new Error("Patroni has no leader");
      if (how === "kill") {
        await patronis.get(leader)?.kill();
        patronis.delete(leader);
        await killPostgres(leader);
      } else {
        const command = ["-c", configOf(leader), "switchover", "--force", CLUSTER];
        await promisify(execFile)("patronictl", command);
      }
      await waitUntil("The other server leads", async () => {
        const [now] = await leaders(members);
        return now !== undefined && now !== leader;
      });
    },
    recover,
    dispose,
  };
}

const configOf = ({ folder }: Member) => join(folder, "patroni.yml");

async function writeConfig(member: Member): Promise<void> {
  await mkdir(member.folder);
  if (OWNER.uid !== undefined) await chown(member.folder, OWNER.uid, OWNER.gid);
  await writeFile(configOf(member), patroniConfig(member));
}

function startPatroni(member: Member): Promise<Program> {
  return startProgram(["patroni", configOf(member)], join(member.folder, "log"), OWNER);
}

async function startEtcd(folder: string, port: number): Promise<Program> {
  const clients = `http://127.0.0.1:${port}`;
  const peers = `http://127.0.0.1:${await freePort()}`;
  const options = [
    `--data-dir=${join(folder, "etcd")}`,
    ...[`--listen-client-urls=${clients}`, `--advertise-client-urls=${clients}`],
    ...[`--listen-peer-urls=${peers}`, `--initial-advertise-peer-urls=${peers}`],
    `--initial-cluster=default=${peers}`,
  ];
  const program = await startProgram(["etcd", ...options], join(folder, "etcd.log"));
  await waitUntil("etcd is healthy", async () => (await ask(port, "/health")) !== undefined);
  return program;
}

/** Kills the server's first process. Its others end when they notice. */
async function killPostgres({ folder }: Member): Promise<void> {
  const pid = await readFile(join(folder, "data", "postmaster.pid"), "utf8").catch(() => undefined);
  if (pid === undefined) return;
  try {
    process.kill(Number.parseInt(pid, 10), "SIGKILL");
  } catch {
    // The file of a server that was killed remains.
  }
}

/** The members that lead: one at most. */
async function leaders(members: readonly Member[]): Promise<readonly Member[]> {
  const answers = await Promise.all(members.map(({ apiPort }) => ask(apiPort, "/primary")));
  return members.filter((_, index) => answers[index] !== undefined);
}

/** The roles of all members that run, by Patroni. */
async function rolesOf(members: readonly Member[]): Promise<readonly unknown[]> {
  const [leader] = await leaders(members);
  const text = leader && (await ask(leader.apiPort, "/cluster"));
  if (text === undefined) return [];
  const cluster: { members: readonly { role: string; state: string }[] } = JSON.parse(text);
  return cluster.members
    .filter(({ state }) => ["running", "streaming"].includes(state))
    .map(({ role }) => role);
}

/** Sends a GET request to a port of this machine. @returns the text of a successful response */
async function ask(port: number, path: string): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  const text = await answer?.text();
  return answer?.ok ? text : undefined;
}
