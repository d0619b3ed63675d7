import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ApiServer, ownCluster } from "../../src/kubernetes/api-server.ts";
import { PodWatch } from "../../src/kubernetes/pod-watch.ts";
import { type FakeApiServer, fakeApiServer, podOf } from "./fake-api-server.ts";

/** A watch that runs until the test ends. */
async function watching(fake: FakeApiServer, namespace?: string) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const server = new ApiServer(await ownCluster(fake.env, signal));
  const changes: string[][] = [];
  const states: string[] = [];
  const waits: number[] = [];
  const watch = new PodWatch({
    ...{ server, namespace, signal },
    waitMs(attempt) {
      waits.push(attempt);
      return 5;
    },
    onChange: (namespaces) => changes.push([...namespaces].sort()),
    onState: (fault) => states.push(fault?.message ?? "ok"),
  });
  const running = watch.run();
  onTestFinished(async () => {
    stopping.abort(new Error("the test is over"));
    await server[Symbol.asyncDispose]();
    await running;
  });
  const names = () => [...(watch.pods ?? [])].map(({ entry }) => entry.podName).sort();
  return { watch, changes, states, waits, names, isCurrent: () => watch.pods !== undefined };
}

const web = podOf({ name: "web", namespace: "shop" });
const job = podOf({ name: "job", namespace: "batch" });

describe("a watch of pods", () => {
  test("lists by page, then follows what is added, changed and deleted", async () => {
    const fake = await fakeApiServer(2);
    for (const name of ["a", "b", "c", "d", "e"]) fake.put(podOf({ name, namespace: "shop" }));
    const { names, changes, isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    expect(names()).toEqual(["a", "b", "c", "d", "e"]);
    expect(fake.requests.slice(0, 3)).toEqual([
      "/api/v1/pods?limit=500",
      "/api/v1/pods?limit=500&continue=page-1",
      "/api/v1/pods?limit=500&continue=page-2",
    ]);
    fake.put(web);
    await vi.waitUntil(() => names().includes("web"));
    fake.remove(web);
    await vi.waitUntil(() => !names().includes("web"));
    expect(changes).toEqual([["shop"], [], ["shop"], ["shop"]]);
  });

  test("tells only of changes that a report has", async () => {
    const fake = await fakeApiServer();
    fake.put(web);
    const { watch, changes, isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    fake.put({ ...structuredClone(web), spec: { containers: [] } });
    fake.put(podOf({ name: "pending", namespace: "shop", phase: "Pending" }));
    fake.put(podOf({ name: "web", namespace: "shop", digest: "b".repeat(64) }));
    await vi.waitUntil(() => changes.length > 2);
    expect(changes).toEqual([["shop"], [], ["shop"]]);
    expect([...(watch.pods ?? [])][0]?.entry.digests).toEqual({
      "registry.example.com/web": "b".repeat(64),
    });
  });

  test("continues after its end and after a broken connection where it was, without a list", async () => {
    const fake = await fakeApiServer();
    const { watch, names, isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    for (const how of ["ended", "broken"] as const) {
      fake.endWatches(how);
      const pod = podOf({ name: how, namespace: "shop" });
      fake.put(pod);
      await vi.waitUntil(() => names().includes(how));
    }
    expect(watch.lists).toBe(1);
  });

  test("waits if its watches end at once, as behind a proxy", async () => {
    const fake = await fakeApiServer();
    const { states, waits, isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    fake.endsWatchesAtOnce = true;
    fake.endWatches("ended");
    await vi.waitUntil(() => waits.length >= 3);
    expect(waits.slice(0, 3)).toEqual([1, 2, 3]);
    expect(states).toContain("the watch ended at once");
  });

  test("continues from the version of a bookmark", async () => {
    const fake = await fakeApiServer();
    const { isCurrent } = await watching(fake, "shop");
    await vi.waitUntil(isCurrent);
    fake.put(job);
    fake.bookmark();
    await vi.waitFor(() => {
      fake.endWatches("ended");
      expect(fake.requests.at(-1)).toContain("resourceVersion=101");
    });
  });

  test("lists again when its version has expired, and misses nothing", async () => {
    const fake = await fakeApiServer();
    fake.put(web);
    const { watch, names, states, isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    fake.remove(web);
    fake.put(job);
    fake.expire();
    await vi.waitUntil(() => watch.lists === 2 && isCurrent());
    expect({ names: names(), states: [...new Set(states)] }).toEqual({ names: ["job"], states: ["ok"] });
  });

  test("starts its list over if it expires between two pages, and shows no part of it", async () => {
    const fake = await fakeApiServer(1);
    fake.put(web);
    fake.put(job);
    const { isCurrent, names } = await watching(fake);
    await vi.waitUntil(isCurrent);
    fake.faults.push({ status: 410, reason: "Expired", message: "too old" });
    fake.faults.push({ status: 410, reason: "Expired", message: "too old" });
    fake.endWatches("broken");
    await vi.waitUntil(() => fake.faults.length === 0 && isCurrent());
    expect(names()).toEqual(["job", "web"]);
  });

  test("shows no pods while changes do not arrive, and recovers", async () => {
    const fake = await fakeApiServer();
    fake.put(web);
    const { watch, states, isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    const unavailable = { status: 503, reason: "ServiceUnavailable", message: "apiserver is starting" };
    for (let count = 0; count < 20; count++) fake.faults.push(unavailable);
    fake.endWatches("broken");
    await vi.waitUntil(() => watch.pods === undefined);
    expect(watch.lostAt).toBeTypeOf("number");
    await vi.waitUntil(isCurrent);
    expect(states).toContain("Error from server (ServiceUnavailable): apiserver is starting");
    expect(watch.lostAt).toBeUndefined();
  });

  test("reads its token again, which the kubelet replaces", async () => {
    const fake = await fakeApiServer();
    const { isCurrent } = await watching(fake);
    await vi.waitUntil(isCurrent);
    fake.rotateToken("second\n");
    fake.endWatches("ended");
    await vi.waitUntil(() => fake.tokens.length === 3);
    expect(fake.tokens).toEqual(["Bearer first", "Bearer first", "Bearer second"]);
  });
});

test("a program outside of a cluster says so", async () => {
  const { signal } = new AbortController();
  await expect(ownCluster({}, signal)).rejects.toThrow("run this command in a pod");
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", EVIDENCE_SERVICE_ACCOUNT_DIR: "/nowhere" };
  await expect(ownCluster(env, signal)).rejects.toThrow("automountServiceAccountToken: true");
});
