import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { newDatabase } from "../records.ts";
import { pipeline, send } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";
import { IN_ORDER, succeedingRequests } from "../service/succeeding-requests.ts";
import { freePort, OWNER } from "./server.ts";

/** Fewer than the service has: connections are shared between transactions. */
const SERVER_CONNECTIONS = 3;

/** PgBouncer in front of a server on this port, which assigns a connection for one transaction at a time. */
async function startPgBouncer(serverPort: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-pgbouncer-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  await writeFile(users, '"evidence" ""\n');
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
  );
  const { uid, gid } = OWNER;
  if (uid !== undefined) for (const path of [folder, users, file]) await chown(path, uid, gid);
  const pooler = spawn("pgbouncer", [file], { ...OWNER, stdio: "ignore" });
  onTestFinished(async () => {
    const ended = once(pooler, "exit");
    pooler.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  return port;
}

const isHere = spawnSync("pgbouncer", ["--version"]).status === 0;

it.skipIf(!isHere)(
  `every operation succeeds through PgBouncer, which shares connections between transactions${isHere ? "" : " (it is not installed here)"}`,
  async () => {
    const direct = await newDatabase();
    const url = new URL(direct);
    url.port = String(await startPgBouncer(url.port));
    await vi.waitFor(async () => {
      const client = new pg.Client(url.href);
      await client.connect();
      await client.end();
    });
    url.searchParams.set("pgbouncer", "true");
    const service = await startTestService({}, { database: { url: url.href } });
    onTestFinished(() => service.dispose());

    const requestOf = await succeedingRequests(service);
    for (const operation of IN_ORDER) {
      const { status, text } = await send(service, requestOf(operation));
      expect({ operation: operation.name, status, text }).toMatchObject({
        status: expect.toSatisfy((it: number) => it === 200 || it === 201),
      });
    }
    // Many at a time, so that each connection of the service is served by several of the server.
    const { attest, flow, trail, repos } = pipeline(service);
    await flow("pooled");
    await trail("pooled", "t1");
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0 ? attest("pooled", "t1", { attestation_name: `many-${index}` }) : repos(),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
  },
);
