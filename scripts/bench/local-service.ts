import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
/** An API key in the service's form. */
const API_KEY = `de_${"k".repeat(43)}`;

/** Storage of a service in the bench. */
export interface ServiceRecords {
  /** URL of a PostgreSQL database; by default the data folder is used. */
  readonly database?: string;
  /** A shared folder for the attachments of instances. */
  readonly attachments?: string;
  /** Further options of `serve`. */
  readonly options?: readonly string[];
  /** Further options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** Starts the service in its own process, with a new data folder in the temporary folder. */
export async function startLocalService({
  database,
  attachments,
  options = [],
  nodeOptions = [],
}: ServiceRecords = {}) {
  const folder = await mkdtemp(join(tmpdir(), "bench-service-"));
  // The limits would stop the load from one key and one address.
  const unlimited = ["--key-rate", "0", "--address-rate", "0"];
  const records = [
    ...(database === undefined ? [] : ["--database-url", database]),
    ...(attachments === undefined ? [] : ["--attachments", attachments]),
  ];
  // The bench's receivers are on this machine.
  const receivers = ["--allow-targets", "127.0.0.1", "--allow-http-targets"];
  const args = [
    "serve",
    "--port",
    "0",
    "--data",
    folder,
    "--org",
    "bench",
    ...unlimited,
    ...receivers,
    ...records,
    ...options,
  ];
  const child = spawn(process.execPath, [...nodeOptions, CLI, ...args], {
    env: { ...process.env, EVIDENCE_ADMIN_KEY: API_KEY },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let address: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (address) break;
  }
  if (!address) throw new Error("The service did not start");
  child.stdout.resume();
  return {
    address,
    apiKey: API_KEY,
    org: "bench",
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Variables of a step that runs a bundle against the service, without access to GitHub. */
export function stepVariables(
  { apiKey, org, address }: LocalService,
  inputs: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  return stepEnvironment({ "api-key": apiKey, org, "base-url": address, ...inputs });
}

/** Variables of a step with only these inputs. */
export function stepEnvironment(inputs: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    INPUTS: JSON.stringify(inputs),
    GITHUB_SHA: "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa",
    GITHUB_REPOSITORY: "acme/web",
    GITHUB_RUN_ID: "1",
  };
}
