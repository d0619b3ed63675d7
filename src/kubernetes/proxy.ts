import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { MAX_PAGE_BYTES, runKubectl, TOO_LARGE } from "./kubectl.ts";
import { ClusterFault, faultFromAnswer, faultFromStderr } from "./kubectl-error.ts";
import type { Kubectl } from "./kubectl-options.ts";

/** A way into the cluster that is open until it is closed. */
export interface PodProxy {
  /** What the API server answers to a GET of `path`. @throws {ClusterFault} */
  get(path: string): Promise<string>;
  /** Ends the proxy and removes its socket. */
  close(): Promise<void>;
}

/** What the address of a unix socket can hold on every system, with its final zero. */
const SOCKET_PATH_LIMIT = 104;
const FOLDER_PREFIX = "kubectl-";
const SOCKET = "proxy.sock";
const START_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 60_000;

/*
 * The socket gives whoever can open it the rights of the kubeconfig, so it does no more than is needed:
 * lists of pods, and no method but GET. Both flags are comma-separated expressions of a kind without lookahead,
 * hence the spelling of "anything that is not GET".
 */
const POD_LISTS = "^/api/v1/pods$,^/api/v1/namespaces/[^/]+/pods$";
const NOT_GET = "^[^G],^G[^E],^GE[^T],^GET.,^GE?$";

/** False where there are no unix sockets, or the folder's path is too long to hold one. */
export function canProxy(tempDir: string): boolean {
  const path = join(tempDir, `${FOLDER_PREFIX}XXXXXX`, SOCKET);
  return process.platform !== "win32" && Buffer.byteLength(path) < SOCKET_PATH_LIMIT;
}

/**
 * Starts `kubectl proxy` on a socket in a folder of its own, which only this user can enter.
 *
 * @throws {ClusterFault} when kubectl ends before it serves.
 * @throws {InputError} when there is no kubectl.
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
      // Some clusters are served below a path, as Rancher's are.
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
  // Once it serves, its end shows in the requests it no longer answers.
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
  const timeouts = { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS };
  const agent = new Agent({ connect: { socketPath }, ...timeouts, maxResponseSize: MAX_PAGE_BYTES });
  return {
    get: (path) => get(agent, path, kubectl.signal),
    close: () => agent.destroy().then(close),
  };
}

async function get(agent: Agent, path: string, signal: AbortSignal): Promise<string> {
  const { status, text } = await answer(agent, path, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof Error && "code" in error && error.code === "UND_ERR_RES_EXCEEDED_MAX_SIZE")
      throw new ClusterFault(TOO_LARGE);
    const why = error instanceof Error ? error.message : String(error);
    throw new ClusterFault(`the connection to kubectl proxy failed: ${why}`, { transient: true });
  });
  if (status !== 200) throw faultFromAnswer(status, text);
  return text;
}

async function answer(agent: Agent, path: string, signal: AbortSignal) {
  const options = { origin: "http://localhost", method: "GET", path, signal } as const;
  const { statusCode, body } = await request.call(agent, options);
  return { status: statusCode, text: await body.text() };
}
