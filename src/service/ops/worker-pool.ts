import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Pool from "undici/lib/dispatcher/pool.js";
import type { OperationName } from "../../api/operations.ts";
import type { BodyRoom } from "../http/body-memory.ts";
import type { Answer } from "../http/error-answer.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { Busy } from "../kernel/errors.ts";
import type { Log, LoggedEvent } from "../kernel/log.ts";
import type { StoreObserver } from "../store/observer.ts";
import { makeTemporaryFolder } from "../store/temporary-folder.ts";
import { handOver } from "../workers/hand-over.ts";
import { isHeavy } from "../workers/heavy-requests.ts";

/** What a worker tells the thread that started it. */
export type WorkerMessage =
  | { readonly ready: true }
  | { readonly logged: LoggedEvent }
  | { readonly committed: { writes: number; seconds: number } }
  | { readonly failed: true }
  | { readonly retried: string }
  | { readonly due: true };

/** What a worker is given: it can be copied to another thread. */
export interface WorkerTask<Settings> {
  /** Where it is to listen. */
  readonly socket: string;
  /** A folder of its own for what arrives. */
  readonly incoming: string;
  readonly settings: Settings;
}

export interface WorkerPool {
  /** Has a heavy request answered by a worker. Undefined for one that is answered here. */
  answer(name: OperationName, request: RoutedRequest, room: BodyRoom): Promise<Answer> | undefined;
  /** Ends the workers, when nothing is under way any more. */
  close(): Promise<void>;
}

interface PoolOptions<Settings> {
  /** The module that a worker runs. */
  module: URL;
  size: number;
  settings: Settings;
  /** Where what arrives is put. Each worker has a folder of its own in it. */
  incoming: string;
  log: Log;
  observer: StoreObserver;
  /** Told within a write of a worker that adds deliveries. */
  wake(): void;
}

/** A worker that ended by itself is started again after this time. */
const RESTART_MS = 500;

/**
 * Workers that answer the requests which would keep everybody else waiting. Each is a thread with connections to the
 * records of its own. The requests of one organization go to the same one, so that they keep none but each other. An
 * organization without any takes the worker that the fewest others use. While each is in use by others, it reads here,
 * in slices, because most of what it reads is small.
 */
export async function startWorkers<Settings>(options: PoolOptions<Settings>): Promise<WorkerPool> {
  // Sockets in a folder that nobody else may enter.
  const folder = await makeTemporaryFolder("evidence-workers");
  const workers = Array.from({ length: options.size }, (_, index) =>
    keepWorker(
      { socket: join(folder.path, `${index}.socket`), incoming: join(options.incoming, `worker-${index}`) },
      options,
    ),
  );
  const enter = choose(workers);
  return {
    answer(name, { incoming, source, pathParams }, room) {
      if (!isHeavy(name, incoming)) return undefined;
      const entered = enter(pathParams["org"] ?? "", { isRead: incoming.method === "GET" });
      if (entered === undefined) return undefined;
      const { worker, leave } = entered;
      return worker
        .ready()
        .then(() =>
          handOver(incoming, { worker: worker.requests, client: source.address ?? undefined, room }),
        )
        .finally(leave);
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await folder.remove();
    },
  };
}

/** Chooses workers by organization. A worker is taken until its organization has left as often as it has entered. */
function choose<W>(workers: readonly W[]) {
  const taken = new Map<string, { worker: W; requests: number }>();
  const usersOf = (worker: W) => [...taken.values()].filter((each) => each.worker === worker).length;
  const newPlace = (isRead: boolean) => {
    const [least] = workers.toSorted((a, b) => usersOf(a) - usersOf(b));
    if (least === undefined || (isRead && usersOf(least) > 0)) return undefined;
    return { worker: least, requests: 0 };
  };
  return (organization: string, { isRead }: { isRead: boolean }) => {
    const place = taken.get(organization) ?? newPlace(isRead);
    if (place === undefined) return undefined;
    taken.set(organization, place);
    place.requests++;
    return {
      worker: place.worker,
      leave() {
        place.requests--;
        if (place.requests === 0) taken.delete(organization);
      },
    };
  };
}

/** Starts a worker, and starts it again when it ends by itself. */
function keepWorker<Settings>(
  { socket, incoming }: Pick<WorkerTask<Settings>, "socket" | "incoming">,
  { module, settings, log, observer, wake }: PoolOptions<Settings>,
) {
  const requests = new Pool("http://worker", { socketPath: socket, headersTimeout: 0, bodyTimeout: 0 });
  let closing = false;
  let thread: Worker;
  let ready: Promise<void>;
  let ended: Promise<unknown>;
  let listens: boolean;

  function start(): void {
    const task: WorkerTask<Settings> = { socket, incoming, settings };
    const started = new Worker(module, { workerData: task });
    thread = started;
    listens = false;
    ended = new Promise((resolve) => started.once("exit", resolve));
    ready = new Promise((resolve, reject) => {
      started.on("message", (message: WorkerMessage) => {
        if (!("ready" in message)) return tell(message);
        listens = true;
        resolve();
      });
      started.on("error", (error) =>
        log({ level: "error", message: "A worker for large requests failed", error }),
      );
      started.once("exit", () => {
        reject(new Busy("The worker for large requests is being started: try again", 1));
        if (!closing) setTimeout(() => closing || start(), RESTART_MS).unref();
      });
    });
    // Whoever needs it hears of it.
    ready.catch(() => {});
  }

  function tell(message: Exclude<WorkerMessage, { ready: true }>): void {
    if ("logged" in message) log(message.logged);
    if ("committed" in message) observer.committed(message.committed);
    if ("failed" in message) observer.failed();
    if ("retried" in message) observer.retried(message.retried);
    if ("due" in message) wake();
  }

  start();
  return {
    requests,
    ready: () => ready,
    async close() {
      closing = true;
      await requests.destroy();
      // One that does not listen yet has nothing under way.
      if (listens) thread.postMessage("close");
      else void thread.terminate();
      await ended;
    },
  };
}
