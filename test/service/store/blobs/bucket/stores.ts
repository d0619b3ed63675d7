import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BUCKET, KEYS, REGION, s3Server } from "./s3-server.ts";

/** A store with one empty bucket, and its address and credentials. */
export interface RunningStore {
  readonly environment: Record<string, string>;
  /** The keys of its objects. */
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

/** The stores that tests run against: our own, and `versitygw` if it is on the PATH. */
export const STORES: readonly (readonly [name: string, start: () => Promise<RunningStore>])[] = [
  ["our own server", ownStore],
  ...(isOnPath("versitygw") ? ([["versitygw", versitygw]] as const) : []),
];

export function environmentOf(url: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  };
}

async function ownStore(): Promise<RunningStore> {
  const { url, objects, close } = await s3Server();
  return { environment: environmentOf(url), keys: async () => [...objects.keys()].sort(), close };
}

async function versitygw(): Promise<RunningStore> {
  const folder = await mkdtemp(join(tmpdir(), "versitygw-"));
  await mkdir(join(folder, "data", BUCKET), { recursive: true });
  const port = await freePort();
  const own = ["--port", `127.0.0.1:${port}`, "--region", REGION, "--quiet", "--keep-alive"];
  const keys = ["--access", KEYS.accessKeyId, "--secret", KEYS.secretAccessKey];
  const posix = ["posix", "--sidecar", join(folder, "meta"), join(folder, "data")];
  await mkdir(join(folder, "meta"));
  const child = spawn("versitygw", [...own, ...keys, ...posix], { stdio: "ignore" });
  const exited = once(child, "exit");
  await listens(port);
  return {
    environment: environmentOf(`http://127.0.0.1:${port}`),
    async keys() {
      const root = join(folder, "data", BUCKET);
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)).sort();
    },
    async close() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, program)));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function listens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const reached = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (reached) return;
    await delay(50);
  }
  throw new Error("versitygw does not listen");
}
