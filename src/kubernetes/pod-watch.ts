import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "../api/json.ts";
import { asObject, asText } from "../api/untyped.ts";
import { backoff } from "../net/retry.ts";
import type { ApiServer } from "./api-server.ts";
import { ClusterFault, faultFromAnswer } from "./kubectl-error.ts";
import { NotAPod, reducePod } from "./pod.ts";
import { podKey, type ReportedPod } from "./pod-collector.ts";
import { listPages, pagePath, parsePage } from "./pod-list.ts";

export interface PodWatchOptions {
  readonly server: ApiServer;
  /** The only namespace to watch; the whole cluster if undefined. */
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  /** Called when a reported pod of a namespace appeared, changed or disappeared. */
  readonly onChange: (namespaces: ReadonlySet<string>) => void;
  /** Called when the watch fails, and with undefined when it works again. */
  readonly onState: (fault: ClusterFault | undefined) => void;
  /** Replaces the waits after faults, for tests. */
  readonly waitMs?: (attempt: number) => number;
}

/** The API server ends a watch after this time, so that a dead connection is found. */
const WATCH_SECONDS = 240;
/** A watch that ends sooner without an event was not ended by the API server. */
const SHORTEST_WATCH_MS = 1_000;

/** The pods of a cluster or a namespace, as they are now. */
export class PodWatch {
  readonly #options: PodWatchOptions;
  readonly #path: string;
  #pods: Map<string, ReportedPod> | undefined;
  #version = "";
  #isCurrent = false;
  #lostAt: number | undefined = performance.now();
  lists = 0;

  constructor(options: PodWatchOptions) {
    const { namespace } = options;
    this.#options = options;
    this.#path = namespace === undefined ? "/api/v1/pods" : `/api/v1/namespaces/${namespace}/pods`;
  }

  /** The pods, if the list is complete and changes arrive. Otherwise undefined, because pods may be missing. */
  get pods(): Iterable<ReportedPod> | undefined {
    return this.#isCurrent ? this.#pods?.values() : undefined;
  }

  /** Time of the last loss of the watch, by the process's monotonic clock in milliseconds; undefined while it works. */
  get lostAt(): number | undefined {
    return this.#lostAt;
  }

  /** Lists and watches until the signal aborts. Faults are repeated with growing waits. */
  async run(): Promise<void> {
    const { signal, onState, waitMs = backoff } = this.#options;
    for (let faults = 0; !signal.aborted; ) {
      try {
        if (this.#version === "") await this.#list();
        await this.#watch();
        faults = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.#isCurrent = false;
        this.#lostAt ??= performance.now();
        const fault = faultOf(error);
        if (fault.expired) this.#version = "";
        // A list that has just expired is repeated at once.
        if (fault.expired && faults === 0) {
          faults = 1;
          continue;
        }
        faults += 1;
        onState(fault);
        await sleep(waitMs(faults), undefined, { signal }).catch(() => {});
      }
    }
  }

  async #list(): Promise<void> {
    const { server } = this.#options;
    const pods = new Map<string, ReportedPod>();
    let version = "";
    const read = async (token: string) => parsePage(await server.get(pagePath(this.#path, token)));
    for await (const page of listPages(read)) {
      version ||= page.version;
      for (const pod of page.items) {
        const reduction = reducePod(pod);
        if ("entry" in reduction) pods.set(podKey(pod), reduction);
      }
    }
    if (version === "") throw new ClusterFault("the list of pods has no resourceVersion");
    const before = this.#pods ?? new Map<string, ReportedPod>();
    this.#pods = pods;
    this.#version = version;
    this.lists += 1;
    this.#tell(differing(before, pods));
  }

  async #watch(): Promise<void> {
    const { server, onState } = this.#options;
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}`;
    const opened = () => {
      this.#isCurrent = true;
      this.#lostAt = undefined;
      onState(undefined);
      this.#tell(new Set());
    };
    const version = encodeURIComponent(this.#version);
    const path = `${this.#path}?${query}&resourceVersion=${version}`;
    const begunAt = performance.now();
    let events = 0;
    for await (const line of server.lines(path, opened)) {
      this.#take(line);
      events += 1;
    }
    if (events === 0 && performance.now() - begunAt < SHORTEST_WATCH_MS)
      throw new ClusterFault("the watch ended at once", { transient: true });
  }

  #take(line: string): void {
    const { type, object } = asObject(parseJson(line)?.value);
    if (type === "ERROR") {
      const { code } = asObject(object);
      throw faultFromAnswer(typeof code === "number" ? code : 500, JSON.stringify(object));
    }
    const version = asText(asObject(asObject(object)["metadata"])["resourceVersion"]);
    if (typeof type !== "string" || version === "")
      throw new ClusterFault("the watch returned something other than an event", { transient: true });
    this.#version = version;
    if (type === "BOOKMARK") return;
    const key = podKey(object);
    const before = this.#pods?.get(key);
    const reduction = type === "DELETED" ? undefined : reducePod(object);
    const after = reduction && "entry" in reduction ? reduction : undefined;
    if (after) this.#pods?.set(key, after);
    else this.#pods?.delete(key);
    const namespace = (after ?? before)?.entry.namespace;
    if (namespace !== undefined && !isSame(before, after)) this.#tell(new Set([namespace]));
  }

  #tell(namespaces: ReadonlySet<string>): void {
    this.#options.onChange(namespaces);
  }
}

function faultOf(error: unknown): ClusterFault {
  if (error instanceof ClusterFault) return error;
  if (error instanceof NotAPod) return new ClusterFault(`the list of pods is invalid: ${error.message}`);
  return new ClusterFault(`the pods could not be read: ${error instanceof Error ? error.message : error}`);
}

type Pods = ReadonlyMap<string, ReportedPod>;

/** The namespaces in which pods differ. */
function differing(before: Pods, after: Pods): Set<string> {
  const changed = [
    ...[...before].filter(([key, pod]) => !isSame(pod, after.get(key))),
    ...[...after].filter(([key, pod]) => !isSame(before.get(key), pod)),
  ];
  return new Set(changed.map(([, { entry }]) => entry.namespace));
}

/** Most changes of a pod, such as of its conditions, do not change its report. */
function isSame(one: ReportedPod | undefined, other: ReportedPod | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
