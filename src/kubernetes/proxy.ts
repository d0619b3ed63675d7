import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Client, type Failure } from "../net/client.ts";
import { Deadline } from "../net/deadline.ts";
import { PROFILES } from "../net/profiles.ts";
import type { Kubectl } from "./contexts.ts";
import { runKubectl, TOO_LARGE } from "./kubectl.ts";
import { ClusterFault, faultFromAnswer, faultFromStderr } from "./kubectl-error.ts";

export interface PodProxy {
  /** @throws {ClusterFault} */
  get(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Portable limit of a unix socket's path, with its final zero. */
const SOCKET_PATH_LIMIT = 104;
const FOLDER_PREFIX = "kubectl-";
const SOCKET = "proxy.sock";
const START_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_SECONDS = 120;

/**
 * Anyone who can open the socket has the kubeconfig's rights, so it allows only GET of pod lists. The flags take
 * comma-separated expressions without lookahead, hence the spelling of "not GET".
 */
const POD_LISTS = "^/api/v1/pods$,^/api/v1/namespaces/[^/]+/pods$";
const NOT_GET = "^[^G],^G[^E],^GE[^T],^GET.,^GE?$";

/** False without unix sockets, or if the folder's path is too long for one. */
export function canProxy(tempDir: string): boolean {
  const path = join(tempDir, `${FOLDER_PREFIX}XXXXXX`, SOCKET);
  return process.platform !== "win32" && Buffer.byteLength(path) < SOCKET_PATH_LIMIT;
}

/**
 * Starts `kubectl proxy` on a socket in a folder that only this user can enter.
 *
 * @throws {ClusterFault} if kubectl ends before it serves.
 * @throws {InputError} if kubectl is missing.
 */
export async function openProxy(kubectl: Kubectl, tempDir: string): Promise<PodProxy> {
  const folder = await mkdtemp(join(tempDir, FOLDER_PREFIX));
  const socketPath = join(folder, SOCKET);
  const serving = Promise.withResolvers<void>();
  const closing = new AbortController();
  let stdout = "";
  const ended = runKubectl(
    kubectl,
    [
      "proxy",
      `--unix-socket=${socketPath}`,
      `--accept-paths=${POD_LISTS}`,
      `--reject-methods=${NOT_GET}`,
      // Some clusters have a base path, such as Rancher's.
      "--append-server-path=true",
    ],
    {
      givenUp: closing.signal,
      onStdout: (chunk) => {
        stdout = (stdout + chunk.toString()).slice(-1000);
        if (stdout.includes("Starting to serve")) serving.resolve();
      },
    },
  );
  const close = async () => {
    closing.abort();
    await ended.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  // Once it serves, its end shows in unanswered requests.
  const endedEarly = ended.then(({ stderr }) => {
    throw faultFromStderr(stderr);
  });
  const late = new ClusterFault(`kubectl proxy did not serve within ${START_TIMEOUT_MS} ms`);
  const timer = setTimeout(() => closing.abort(late), START_TIMEOUT_MS);
  try {
    await Promise.race([serving.promise, endedEarly]);
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const client = new Client({
    profile: PROFILES.cluster,
    errorOf: failedAtProxy,
    connect: { socket: { socketPath } },
  });
  return {
    get: (path) => get(client, path, kubectl.signal),
    close: () => client.close().then(close),
  };
}

async function get(client: Client, path: string, signal: AbortSignal): Promise<string> {
  using deadline = new Deadline(ANSWER_TIMEOUT_SECONDS, signal);
  const url = new URL(path, "http://localhost");
  const { status, bytes } = await client.send({ method: "GET", url, headers: {} }, deadline);
  if (status !== 200) throw faultFromAnswer(status, bytes.toString());
  return bytes.toString();
}

function failedAtProxy(failure: Failure): ClusterFault {
  if (failure.kind === "too-large") return new ClusterFault(TOO_LARGE);
  const why = failure.cause instanceof Error ? failure.cause.message : failure.kind;
  return new ClusterFault(`the connection to kubectl proxy failed: ${why}`, { transient: true });
}
