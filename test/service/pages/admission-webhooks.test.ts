import { afterAll, beforeAll, expect, it } from "vitest";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { problemsOn, signedIn } from "./visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).environment("production");
});
afterAll(() => service.dispose());

const PAGE = `/${ORG}/admission-webhooks`;
const FORM = {
  ...{ act: "create", name: "cluster-1", environment: "production", form: "1" },
  ...{ mode: "audit", unpinned: "warn" },
};

it("an admin creates a webhook, whose address is shown once, sees its use, and deletes it", async () => {
  const admin = await signedIn(service, service.keys.admin);
  expect((await admin.get(`/${ORG}`)).text).toContain(`href="${PAGE}"`);
  const { status, text } = await admin.send(PAGE, FORM);
  expect(status).toBe(200);
  const [, path = "", token = ""] =
    /value="[^"]*\/api\/v2(\/webhooks\/admission\/([0-9a-f]{64}))"/.exec(text) ?? [];
  expect(token).not.toBe("");
  expect((await admin.send(PAGE, FORM)).text).not.toContain(token);
  const before = (await admin.get(PAGE)).text;
  expect(before).toContain("cluster-1");
  expect(before).not.toContain(token);
  expect(before).toMatch(/never[\s\S]*never/);
  const json = {
    ...{ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" },
    request: {
      ...{ uid: "u", kind: { group: "", version: "v1", kind: "Pod" }, operation: "CREATE" },
      object: { spec: { containers: [{ name: "web", image: "web:1" }] } },
    },
  };
  const reviewed = await send(service, { method: "POST", path, json, key: null });
  expect(reviewed.body.response).toMatchObject({ allowed: true, warnings: [expect.any(String)] });
  expect(
    (await admin.send(PAGE, { act: "delete", webhook: "cluster-1", "delete-cluster-1": "no" })).status,
  ).toBe(400);
  const form = { act: "delete", webhook: "cluster-1", "delete-cluster-1": "cluster-1" };
  expect((await admin.send(PAGE, form)).status).toBe(303);
  expect((await admin.get(PAGE)).text).toContain("No admission webhooks yet");
  expect((await send(service, { method: "POST", path, json, key: null })).status).toBe(401);
});

it("a webhook that is about to expire is a task on the start page", async () => {
  const admin = await signedIn(service, service.keys.admin);
  const day = new Date((service.clock.time + 5 * 86_400) * 1000).toISOString().slice(0, 10);
  expect((await admin.send(PAGE, { ...FORM, form: "2", expires_at: day })).status).toBe(200);
  expect((await admin.get(PAGE)).text).toMatch(/expires soon/i);
  expect((await admin.get(`/${ORG}`)).text).toContain(
    `<bdi>admission webhook</bdi></a> <bdi>cluster-1</bdi>: it expires`,
  );
});

it("is for admins, and names what is wrong", async () => {
  const member = await signedIn(service, service.keys.member);
  expect((await member.get(PAGE)).status).toBe(404);
  const admin = await signedIn(service, service.keys.admin);
  const problems = async (more: object) =>
    problemsOn(await admin.send(PAGE, { ...FORM, form: "3", ...more }));
  for (const [more, name] of [
    [{ name: "a b" }, "name"],
    [{ environment: "nowhere" }, "environment"],
    [{ mode: "block" }, "mode"],
    [{ unpinned: "" }, "unpinned"],
    [{ expires_at: "2020-01-01" }, "expires_at"],
  ] as const)
    expect(Object.keys(await problems(more))).toEqual([name]);
});
