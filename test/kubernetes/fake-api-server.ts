import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { certificateIn } from "../api/certificates.ts";

type Pod = ReturnType<typeof podOf>;

/** The part of an API server that lists and watches pods: pages, versions, bookmarks and expired versions. */
export interface FakeApiServer {
  /** The variables of a pod of this cluster. */
  readonly env: Readonly<Record<string, string>>;
  /** Paths with their queries. */
  readonly requests: string[];
  /** The tokens of the requests. */
  readonly tokens: string[];
  /** Returned instead of the next answers, while there are any. */
  readonly faults: { status: number; reason: string; message: string }[];
  /** Namespaces that the pod may not read; `*` is the cluster. */
  readonly forbidden: Set<string>;
  readonly pods: Map<string, Pod>;
  put(pod: Pod): void;
  remove(pod: Pod): void;
  /** Sends a bookmark to all watches. */
  bookmark(): void;
  /** Forgets all versions so far. Watches get an error, or the next one does. */
  expire(): void;
  /** Ends all watches, as after their time, or without a proper end. */
  endWatches(how: "ended" | "broken"): void;
  /** Whether watches end when they begin. */
  endsWatchesAtOnce: boolean;
  /** Replaces the token in the pod's file. */
  rotateToken(token: string): void;
  readonly watches: number;
}

export interface PodText {
  readonly name: string;
  readonly namespace: string;
  readonly digest?: string;
  readonly phase?: string;
}

export function podOf({ name, namespace, digest = "a".repeat(64), phase = "Running" }: PodText) {
  const image = `registry.example.com/${name}`;
  return {
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid: `${namespace}-${name}`,
      resourceVersion: "0",
      creationTimestamp: "2026-03-04T05:06:07Z",
    },
    spec: { containers: [{ name: "app", image }] },
    status: {
      phase,
      containerStatuses: [{ name: "app", image, imageID: `${image}@sha256:${digest}` }],
    },
  };
}

/** Starts a server until the test ends. */
export async function fakeApiServer(pageSize?: number): Promise<FakeApiServer> {
  const { fake, close } = await startApiServer(pageSize);
  onTestFinished(close);
  return fake;
}

export async function startApiServer(
  pageSize = 500,
): Promise<{ fake: FakeApiServer; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "evidence-cluster-"));
  const { key, cert } = certificateIn(folder, ["localhost"]);
  writeFileSync(join(folder, "ca.crt"), cert);
  const pods = new Map<string, Pod>();
  const watches = new Map<ServerResponse, string | undefined>();
  const pages = new Map<string, { items: Pod[]; version: string }>();
  let version = 100;
  let oldest = 0;
  const history: { version: number; type: string; pod: Pod }[] = [];
  const fake: FakeApiServer = {
    env: { KUBERNETES_SERVICE_HOST: "localhost", EVIDENCE_SERVICE_ACCOUNT_DIR: folder },
    ...{ requests: [], tokens: [], faults: [], forbidden: new Set(), pods, endsWatchesAtOnce: false },
    put(pod) {
      const type = pods.has(pod.metadata.uid) ? "MODIFIED" : "ADDED";
      change(type, pod);
      pods.set(pod.metadata.uid, pod);
    },
    remove(pod) {
      pods.delete(pod.metadata.uid);
      change("DELETED", pod);
    },
    bookmark() {
      const object = { kind: "Pod", metadata: { resourceVersion: String(version) } };
      for (const response of watches.keys()) write(response, { type: "BOOKMARK", object });
    },
    expire() {
      oldest = ++version;
      history.length = 0;
      for (const response of watches.keys()) {
        write(response, { type: "ERROR", object: status(410, "Expired", "too old resource version") });
        response.end();
      }
      watches.clear();
    },
    endWatches(how) {
      for (const response of watches.keys()) {
        if (how === "ended") response.end();
        else response.destroy();
      }
      watches.clear();
    },
    rotateToken: (token) => writeFileSync(join(folder, "token"), token),
    get watches() {
      return watches.size;
    },
  };
  const write = (response: ServerResponse, event: object) => response.write(`${JSON.stringify(event)}\n`);
  const change = (type: string, pod: Pod) => {
    pod.metadata.resourceVersion = String(++version);
    const sent = structuredClone(pod);
    history.push({ version, type, pod: sent });
    for (const [response, namespace] of watches)
      if (namespace === undefined || namespace === pod.metadata.namespace)
        write(response, { type, object: sent });
  };
  const answer = (request: IncomingMessage, response: ServerResponse): unknown => {
    const url = new URL(request.url ?? "/", "https://localhost");
    fake.requests.push(url.pathname + url.search);
    fake.tokens.push(request.headers.authorization ?? "");
    const json = (code: number, body: object) =>
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    const fault = fake.faults.shift();
    if (fault) return json(fault.status, status(fault.status, fault.reason, fault.message));
    const [, namespace] = /^\/api\/v1\/namespaces\/([^/]+)\/pods$/.exec(url.pathname) ?? [];
    const isWatch = url.searchParams.get("watch") === "1";
    if (fake.forbidden.has(namespace ?? "*")) {
      const where = namespace === undefined ? "at the cluster scope" : `in the namespace "${namespace}"`;
      const message = `pods is forbidden: User "system:serviceaccount:evidence:reporter" cannot ${isWatch ? "watch" : "list"} resource "pods" in API group "" ${where}`;
      return json(403, status(403, "Forbidden", message));
    }
    if (isWatch) return watch(url, namespace, response);
    const token = url.searchParams.get("continue") ?? "";
    const whole = pages.get(token) ?? {
      items: [...pods.values()].filter(
        (pod) => namespace === undefined || pod.metadata.namespace === namespace,
      ),
      version: String(version),
    };
    const limit = Math.min(Number(url.searchParams.get("limit")), pageSize);
    const next = whole.items.length > limit ? `page-${pages.size + 1}` : "";
    if (next) pages.set(next, { ...whole, items: whole.items.slice(limit) });
    return json(200, {
      kind: "PodList",
      metadata: { resourceVersion: whole.version, continue: next },
      items: whole.items.slice(0, limit),
    });
  };
  const watch = (url: URL, namespace: string | undefined, response: ServerResponse): unknown => {
    const from = Number(url.searchParams.get("resourceVersion"));
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    if (from < oldest) {
      write(response, { type: "ERROR", object: status(410, "Expired", "too old resource version") });
      return response.end();
    }
    for (const { type, pod, version: at } of history)
      if (at > from && (namespace === undefined || pod.metadata.namespace === namespace))
        write(response, { type, object: pod });
    if (fake.endsWatchesAtOnce) return response.end();
    watches.set(response, namespace);
    return response.on("close", () => watches.delete(response));
  };
  fake.rotateToken("first");
  const server = createServer({ key, cert }, answer);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(fake.env, { KUBERNETES_SERVICE_PORT: String(port) });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  };
  return { fake, close };
}

function status(code: number, reason: string, message: string) {
  return { kind: "Status", status: "Failure", code, reason, message };
}
