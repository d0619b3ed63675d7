import { performance } from "node:perf_hooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startReceiver } from "../../delivery/attempts/receiver.ts";
import { FP, pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  await pipeline(service).environment("production");
  return () => service.dispose();
});

const review = (image: string, more: object = {}) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    ...{ uid: "u", kind: { group: "", version: "v1", kind: "Pod" }, operation: "CREATE" },
    ...{ namespace: "shop", name: "web-1", object: { spec: { containers: [{ name: "web", image }] } } },
    ...more,
  },
});

const ask = (json: object, query = "") =>
  send(service, { method: "POST", path: `/admission/${ORG}/production${query}`, json });
const isAllowed = async (json: object) => (await ask(json)).body.response.allowed;

async function webhook(more: object = {}): Promise<string> {
  const json = { name: "cluster", environment_name: "production", ...more };
  const path = `/admission-webhooks/${ORG}`;
  const { body } = await send(service, { method: "POST", path, json, key: service.keys.admin });
  return new URL(body.url).pathname.replace("/api/v2", "");
}

const allow = () =>
  send(service, {
    method: "PUT",
    path: `/allowlists/${ORG}/production`,
    json: { artifact_name: "web", artifact_fingerprint: FP, description: "" },
    key: service.keys.admin,
  });

const IMAGE = `web@sha256:${FP}`;

describe("a review", () => {
  it("remembers a result for 60 seconds", async () => {
    expect(await isAllowed(review(IMAGE))).toBe(false);
    expect((await allow()).status).toBe(201);
    service.clock.time += 59;
    expect(await isAllowed(review(IMAGE))).toBe(false);
    service.clock.time += 1;
    expect(await isAllowed(review(IMAGE))).toBe(true);
  });

  it("does not share results between environments and scopes", async () => {
    await pipeline(service).environment("staging");
    expect(await isAllowed(review(IMAGE))).toBe(false);
    await allow();
    const path = `/admission/${ORG}/staging`;
    const json = review(IMAGE);
    expect((await send(service, { method: "POST", path, json })).body.response.allowed).toBe(false);
    await send(service, {
      method: "PUT",
      path: `/allowlists/${ORG}/staging`,
      json: { artifact_name: "web", artifact_fingerprint: FP, description: "" },
      key: service.keys.admin,
    });
    const key = { description: "limited", environments: ["staging"] };
    await send(service, {
      method: "POST",
      path: `/service-accounts/${ORG}`,
      json: { name: "limited", privilege: "reader" },
      key: service.keys.admin,
    });
    const made = await send(service, {
      method: "POST",
      path: `/service-accounts/${ORG}/limited/api-keys`,
      json: key,
      key: service.keys.admin,
    });
    const limited = await send(service, { method: "POST", path, json, key: made.body.key });
    expect(limited.body.response.allowed).toBe(true);
  });

  it("lets other requests in while it asserts the images of a huge pod", async () => {
    const image = (each: number) => `web@sha256:${each.toString(16).padStart(64, "0")}`;
    const containers = Array.from({ length: 2_000 }, (_, each) => ({ name: `c${each}`, image: image(each) }));
    const finished: string[] = [];
    const huge = ask(review("", { object: { spec: { containers } } })).then(() => finished.push("huge"));
    // The service has begun to answer it by the second one.
    for (const each of [1, 2, 3]) {
      await send(service, { path: `/environments/${ORG}/production` });
      finished.push(`small ${each}`);
    }
    await huge;
    expect(finished).toEqual(["small 1", "small 2", "small 3", "huge"]);
  });

  it("writes what it only audits to the log", async () => {
    await ask(review(IMAGE), "?mode=audit");
    expect(service.logged.join("\n")).toMatch(
      /Admitted pod shop\/web-1 for audit only: the image may not run in environment 'production'/,
    );
  });

  it("keeps the token of a webhook out of the log", async () => {
    const path = await webhook();
    const token = path.split("/").at(-1) ?? "none";
    const post = (to: string) => send(service, { method: "POST", path: to, json: review(IMAGE), key: null });
    expect((await post(path)).status).toBe(200);
    for (const wrong of [`${path}/`, `${path}/x`, `${path}0`, path.replace("webhooks", "%77ebhooks")])
      await post(wrong);
    await send(service, { path, key: null });
    const log = service.logged.join("\n");
    expect(log).toContain("POST /api/v2/webhooks/admission/:token 200");
    expect(log).not.toContain(token);
  });

  it("is refused once the webhook has expired", async () => {
    const path = await webhook({ expires_at: service.clock.time + 60 });
    const post = () => send(service, { method: "POST", path, json: review(IMAGE), key: null });
    service.clock.time += 59;
    expect((await post()).status).toBe(200);
    service.clock.time += 1;
    expect(await post()).toMatchObject({ status: 401, body: { code: "admission.token_expired" } });
  });

  it("counts unknown addresses as failed logins, and pods by webhook", async () => {
    await service.dispose();
    service = await startTestService({ failedLoginRate: 2, keyRate: 3 });
    await pipeline(service).environment("production");
    const path = await webhook();
    const post = async (to: string) =>
      (await send(service, { method: "POST", path: to, json: review(IMAGE), key: null })).status;
    expect([await post(`${path}0`), await post(`${path}0`), await post(`${path}0`)]).toEqual([401, 401, 429]);
    expect([await post(path), await post(path), await post(path), await post(path)]).toEqual([
      200, 200, 200, 429,
    ]);
  });

  it("notifies about a refused artifact as a gate does, but not on a dry run or a warning", async () => {
    await using receiver = await startReceiver();
    const { flow, trail, artifact, attest, action } = pipeline(service);
    await flow("web");
    await trail("web", "t1");
    await artifact("web", "t1");
    await attest("web", "t1", { is_compliant: false, artifact_fingerprint: FP });
    const targets = [{ type: "WEBHOOK", webhook: receiver.address }];
    await action({ name: "gate", targets, flows: ["web"], triggers: ["ON_REFUSED_GATE"] });
    await ask(review(IMAGE), "?mode=warn");
    await ask(review(IMAGE, { dryRun: true }));
    for (let pod = 0; pod < 3; pod++) expect(await isAllowed(review(IMAGE))).toBe(false);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 10_000 });
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
      gate: { environment: "production" },
      artifact: { fingerprint: FP },
    });
  });

  it("of a known image takes a few milliseconds", async () => {
    await allow();
    const path = await webhook();
    const pod = review(IMAGE);
    const times: number[] = [];
    for (let each = 0; each < 400; each++) {
      const started = performance.now();
      const { body } = await send(service, { method: "POST", path, json: pod, key: null });
      times.push(performance.now() - started);
      expect(body.response.allowed).toBe(true);
    }
    const median = times.toSorted((a, b) => a - b)[200] ?? Number.NaN;
    // A loose bound, because the machine may do other work. A review that asserts each time takes longer.
    expect(median).toBeLessThan(20);
  });
});
