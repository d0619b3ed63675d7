import { mkdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { selfSigned } from "../api/certificates.ts";
import { runProgram } from "../cli/program.ts";
import { askPostgres } from "../records.ts";
import { pipeline } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";
import { configure, giveFile, type PostgresServer, startPostgres } from "./server.ts";

const PASSWORDS = ["first: %41 'secret'", "second/secret"] as const;
const USER = "app";

let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-access-"));
  server = await startPostgres({ settings: ["password_encryption = 'scram-sha-256'", "fsync = off"] });
  const owner = server.url("postgres");
  await askPostgres(owner, `create role ${USER} login`);
  await askPostgres(owner, `create database ${USER} owner ${USER}`);
  await setPassword(PASSWORDS[0]);
  await giveFile(
    server.folder,
    "pg_hba.conf",
    `host all evidence 127.0.0.1/32 trust\nhost all ${USER} 127.0.0.1/32 scram-sha-256\n`,
  );
  await askPostgres(owner, "select pg_reload_conf()");
});
afterAll(async () => {
  await server.dispose();
  await rm(folder, { recursive: true });
});

async function setPassword(password: string): Promise<void> {
  await askPostgres(
    server.url("postgres"),
    `alter role ${USER} password '${password.replaceAll("'", "''")}'`,
  );
}

/** The address as an operator writes it, with this host name and these options. */
function addressOf(host: string, options = "", password = ""): string {
  const credentials = password === "" ? USER : `${USER}:${encodeURIComponent(password)}`;
  return `postgres://${credentials}@${host}:${server.port}/${USER}${options}`;
}

const outcomeOf = async (url: string) => {
  try {
    await (await openPostgres({ url })).close();
    return "opened";
  } catch (error) {
    return `${error} because ${error instanceof Error ? error.cause : undefined}`;
  }
};

it("a database is trusted by its certificate: the right one under its name, and no other", async () => {
  const [own, other] = [selfSigned(["localhost"]), selfSigned(["localhost"])];
  await giveFile(server.folder, "server.crt", own.cert);
  await giveFile(server.folder, "server.key", own.key);
  await configure(server.folder, ["ssl = on"]);
  await server.stop("fast");
  await server.start();
  const open = (host: string, options: string) => outcomeOf(addressOf(host, options, PASSWORDS[0]));
  const refused = (why: string) =>
    expect.stringMatching(
      new RegExp(`^Error: The database postgres://app@\\S+/app cannot be reached because .*${why}`),
    );

  expect(await open("localhost", `?sslmode=verify-full&sslrootcert=${own.path}`)).toBe("opened");
  expect(await open("localhost", `?sslmode=verify-full&sslrootcert=${other.path}`)).toEqual(
    refused("self-signed"),
  );
  expect(await open("127.0.0.1", `?sslmode=verify-full&sslrootcert=${own.path}`)).toEqual(
    refused("altnames"),
  );
  expect(await open("localhost", "?sslmode=verify-full")).toEqual(refused("self-signed"));
  expect(await open("localhost", "?sslmode=require")).toBe("opened");

  // Data that must be encrypted is not sent in the clear.
  await configure(server.folder, ["ssl = off"]);
  await server.stop("fast");
  await server.start();
  expect(await open("localhost", "?sslmode=require")).toEqual(refused("does not support SSL"));
});

it("a password is read from its file for each connection, so that it can be changed while the service runs", async () => {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${PASSWORDS[0]}\n`);
  const database = { url: addressOf("127.0.0.1"), passwordFile, pool: 2 };
  const service = await startTestService({}, { database });
  const { flow } = pipeline(service);
  expect((await flow("before")).status).toBe(201);

  await setPassword(PASSWORDS[1]);
  await askPostgres(
    server.url("postgres"),
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${USER}'`,
  );
  // The file still has the old one: the records are unreachable, which is not a user's mistake.
  const between = async () => {
    const { status } = await flow("between");
    return { status, log: service.logged.join("\n") };
  };
  const refused = expect.stringContaining("password authentication failed");
  await expect.poll(between).toEqual({ status: 503, log: refused });
  await writeFile(passwordFile, `${PASSWORDS[1]}\n`);
  await expect.poll(async () => (await flow("after")).status).toBe(201);

  for (const password of PASSWORDS) expect(service.logged.join("\n")).not.toContain(password);
  await service.dispose();
});

it("a service that cannot log in names the address, without a password", () => {
  const wrong = "n0t-the-passw0rd";
  const { status, stderr } = runProgram([
    ...["serve", "--data", join(folder, "data"), "--port", "0"],
    ...["--database-url", addressOf("127.0.0.1", "", wrong)],
  ]);
  expect(status).toBe(1);
  expect(stderr).toBe(
    `delivery-evidence: The database postgres://app@127.0.0.1:${server.port}/app cannot be reached\n` +
      '  because: error: password authentication failed for user "app"\n',
  );
});

it.each([
  ["missing", undefined, "cannot be read"],
  ["empty", "\n", "is empty"],
])(
  "a service whose password file is %s ends with the reason, and keeps no connection",
  async (name, content, why) => {
    const file = join(folder, name);
    if (content !== undefined) await writeFile(file, content);
    const database = ["--database-url", addressOf("127.0.0.1"), "--database-password-file", file];
    const { status, stderr } = runProgram([
      "serve",
      "--data",
      join(folder, "data"),
      "--port",
      "0",
      ...database,
    ]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(
        `  because: Error: The file ${file} with the password of the database ${why}\n`,
      ),
    ]);
  },
);

it("a move uses the password file of the environment, like all other commands", () => {
  const passwordFile = join(folder, "none");
  const from = join(folder, "moved");
  mkdirSync(from);
  const { status, stderr } = runProgram(
    ["move", "--from", addressOf("127.0.0.1"), "--attachments-from", from, "--to", join(folder, "there")],
    { env: { EVIDENCE_DATABASE_PASSWORD_FILE: passwordFile } },
  );
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`The file ${passwordFile} with the password`),
  ]);
});

it("an address with a wrong option or a missing certificate is refused by name", async () => {
  const open = (options: string) => outcomeOf(addressOf("127.0.0.1", options));
  expect(await open("?sslmode=full")).toContain("sslmode in the address of the database must be one of ");
  expect(await open("?sslmode=verify-full&sslrootcert=/not/there.crt")).toMatch(
    /names cannot be read because Error: ENOENT.*\/not\/there\.crt/,
  );
});
