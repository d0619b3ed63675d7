import { readFile } from "node:fs/promises";
import { Client, type Failure } from "../net/client.ts";
import { Deadline, unlessEnded } from "../net/deadline.ts";
import type { Opened } from "../net/exchange.ts";
import { PROFILES } from "../net/profiles.ts";
import { ClusterFault, faultFromAnswer } from "./kubectl-error.ts";

export interface ApiServerOptions {
  /** `https://10.0.0.1:443` */
  readonly url: string;
  /** File with the token of the pod's service account, which the kubelet replaces. */
  readonly tokenFile: string;
  /** Certificates that sign the server's, in PEM. */
  readonly certificates: string;
  readonly signal: AbortSignal;
}

/** Folder of the service account in each pod. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const ANSWER_TIMEOUT_SECONDS = 60;
/** Longer than a watch, which the server ends. */
const SILENCE_MS = 270_000;
/** A pod has at most 1.5 MB in the cluster's database. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
const MAX_FAULT_BYTES = 64 * 1024;

/**
 * The API server of the cluster that this pod runs in.
 *
 * @throws Error outside of a pod, or if the pod has no service account
 */
export async function ownCluster(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ApiServerOptions> {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] || "443";
  if (host === "") throw new Error("KUBERNETES_SERVICE_HOST is not set: run this command in a pod");
  const folder = env["EVIDENCE_SERVICE_ACCOUNT_DIR"] || SERVICE_ACCOUNT;
  const certificates = await readFile(`${folder}/ca.crt`, "utf8").catch((cause: unknown) => {
    const problem = `${folder}/ca.crt cannot be read: set automountServiceAccountToken: true in the pod`;
    throw new Error(problem, { cause });
  });
  const url = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return { url, tokenFile: `${folder}/token`, certificates, signal };
}

/** Reads an API server without kubectl. It is never reached through a proxy. */
export class ApiServer implements AsyncDisposable {
  readonly #options: ApiServerOptions;
  readonly #client: Client;

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#client = new Client({
      profile: PROFILES.cluster,
      errorOf: failedAtServer,
      connect: { socket: { ca: options.certificates }, silenceMs: SILENCE_MS },
    });
  }

  /** @throws {ClusterFault} */
  async get(path: string): Promise<string> {
    using deadline = new Deadline(ANSWER_TIMEOUT_SECONDS, this.#options.signal);
    const { status, bytes } = await this.#client.send(await this.#request(path), deadline);
    if (status !== 200) throw faultFromAnswer(status, bytes.toString());
    return bytes.toString();
  }

  /** Yields the lines of a response that does not end by itself. @throws {ClusterFault} */
  async *lines(path: string, opened: () => void): AsyncGenerator<string> {
    const { signal } = this.#options;
    const answer = await unlessEnded(this.#client.open(await this.#request(path)), signal);
    const stop = () => answer.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (answer.status !== 200) throw faultFromAnswer(answer.status, await startOf(answer));
      opened();
      yield* linesOf(answer.body);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ClusterFault ? error : lost(error);
    } finally {
      signal.removeEventListener("abort", stop);
      answer.cancel();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }

  async #request(path: string) {
    const { url, tokenFile } = this.#options;
    const token = await readFile(tokenFile, "utf8").catch((cause: unknown) => {
      throw new ClusterFault(`the token of the service account cannot be read: ${messageOf(cause)}`);
    });
    const headers = { accept: "application/json", authorization: `Bearer ${token.trim()}` };
    return { method: "GET", url: new URL(path, url), headers } as const;
  }
}

async function startOf({ body }: Opened): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_FAULT_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_EVENT_BYTES) throw new ClusterFault("one event of the watch is too large");
  }
}

function failedAtServer(failure: Failure): ClusterFault {
  if (failure.kind === "too-large") return new ClusterFault("one page of the list of pods is too large");
  return lost(failure.cause ?? failure.kind);
}

function lost(cause: unknown): ClusterFault {
  const text = `the connection to the API server failed: ${messageOf(cause)}`;
  return new ClusterFault(text, { transient: true });
}

function messageOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
}
