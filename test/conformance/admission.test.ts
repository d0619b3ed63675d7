import { describe, expect, it, vi } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, invalidQueries, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, sendRaw, org } = target;
const { delivered, attest, environment } = pipeline(target);

interface Container {
  readonly name?: string;
  readonly image?: string | null;
}
interface Spec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly object[];
}

const imageOf = (fingerprint: string) => `reg.example/web@sha256:${fingerprint}`;
const podOf = (spec: Spec) => ({ metadata: { name: "web-1" }, spec });
const running = (...images: string[]) =>
  podOf({ containers: images.map((image, index) => ({ name: `c${index}`, image })) });

function review(object: unknown, more: object = {}) {
  return {
    apiVersion: "admission.k8s.io/v1" as const,
    kind: "AdmissionReview" as const,
    request: {
      uid: unique("uid"),
      kind: { group: "", version: "v1", kind: "Pod" },
      operation: "CREATE",
      namespace: "shop",
      name: "web-1",
      object,
      ...more,
    },
  };
}

type Settings = Partial<Pick<Parameters<typeof client.reviewAdmission>[0], "mode" | "unpinned">>;

/** Asks with the key of the tests, and checks what every answer has. */
async function reviewed(envName: string, body: ReturnType<typeof review>, settings: Settings = {}) {
  const answer = await client.reviewAdmission({ envName, body, ...settings });
  expect(answer.body).toEqual({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: expect.objectContaining({ uid: body.request.uid, allowed: expect.any(Boolean) }),
  });
  return answer.body.response;
}

async function webhook(environmentName: string, more: object = {}) {
  return (
    await client.createAdmissionWebhook({ body: { name: unique("cluster"), environmentName, ...more } })
  ).body;
}

/** Sends as an API server does: no header but the type, no query. */
function send(url: string, body: unknown, headers: object = {}) {
  const { pathname, search } = new URL(url);
  expect(search).toBe("");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return sendRaw("POST", pathname, { "content-type": "application/json", ...headers }, text);
}

const PROVEN = `_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  provenance: { required: true }
  attestations:
    - { name: unit, type: "*" }
`;

/** An environment whose policy requires the attestation `unit`. */
async function strictEnvironment() {
  const name = unique("policy");
  await client.putPolicy({ body: { name }, files: { policyFile: textFile("policy.yml", PROVEN) } });
  const environmentName = await environment();
  await client.attachPolicies({ envName: environmentName, body: { policyNames: [name] } });
  return { environmentName, policyName: name };
}

describe("a review of a pod", () => {
  it("admits what the assert of the environment finds compliant, and refuses the rest", async () => {
    const [good, bad] = [await delivered(), await delivered()];
    await attest(bad, false);
    const envName = await environment();
    for (const { fingerprint } of [good, bad]) {
      const { body } = await client.assertArtifact({ fingerprint, environmentName: envName });
      const { allowed } = await reviewed(envName, review(running(imageOf(fingerprint))));
      expect(allowed).toBe(body.compliant);
    }
  });

  it("lists every image that may not run, each with its reason", async () => {
    const { environmentName, policyName } = await strictEnvironment();
    const [unproven, unknown] = [await delivered(), someFingerprint()];
    const good = await delivered();
    await client.attestGeneric({
      flowName: good.flow,
      trailName: good.trail,
      body: { attestationName: "unit", isCompliant: true, artifactFingerprint: good.fingerprint },
    });
    const pod = podOf({
      initContainers: [{ name: "init", image: imageOf(unknown) }],
      containers: [
        { name: "web", image: imageOf(unproven.fingerprint) },
        { name: "fine", image: imageOf(good.fingerprint) },
      ],
      ephemeralContainers: [{ name: "debug", image: "busybox:1" }],
      volumes: [
        { name: "plain", emptyDir: {} },
        { name: "model", image: { reference: "models:2" } },
      ],
    });
    const { allowed, status, ...rest } = await reviewed(environmentName, review(pod));
    expect(rest).toEqual({ uid: expect.any(String) });
    expect([allowed, status?.code, status?.reason]).toEqual([false, 403, "Forbidden"]);
    const [first, ...lines] = status?.message.split("\n- ") ?? [];
    expect(first).toBe(`4 of 5 images may not run in environment '${environmentName}'`);
    expect(lines).toEqual([
      `container init (reg.example/web@sha256:${unknown.slice(0, 12)}…): no flow has reported an artifact with this digest`,
      expect.stringContaining(`policy '${policyName}': the attestation 'unit' of type * is missing`),
      expect.stringMatching(/^container debug \(busybox:1\): it is not pinned by digest: a tag can point/),
      expect.stringMatching(/^volume model \(models:2\): it is not pinned by digest/),
    ]);
    expect(status?.message.length).toBeLessThan(1024);
  });

  it("stays short for many images, and asserts an image of many containers once", async () => {
    const envName = await environment();
    const images = Array.from({ length: 40 }, someFingerprint).map(imageOf);
    const { status } = await reviewed(envName, review(running(...images, ...images)));
    expect(status?.message).toContain("80 of 80 images may not run");
    expect(status?.message.split("\n").every((line) => line.length < 130)).toBe(true);
  });

  it("admits artifacts on the allowlist, also those that no flow has reported", async () => {
    const { environmentName: envName } = await strictEnvironment();
    const allowed = [someFingerprint(), (await delivered()).fingerprint];
    for (const artifactFingerprint of allowed)
      await client.allowArtifact({
        envName,
        body: { artifactName: "dns", artifactFingerprint, description: "" },
      });
    expect(await reviewed(envName, review(running(...allowed.map(imageOf))))).toMatchObject({
      allowed: true,
    });
    const elsewhere = await environment();
    expect(await reviewed(elsewhere, review(running(imageOf(allowed[0] ?? ""))))).toMatchObject({
      allowed: false,
    });
  });

  it("remembers a result for a while", async () => {
    const envName = await environment();
    const artifactFingerprint = someFingerprint();
    const pod = review(running(imageOf(artifactFingerprint)));
    expect((await reviewed(envName, pod)).allowed).toBe(false);
    await client.allowArtifact({
      envName,
      body: { artifactName: "dns", artifactFingerprint, description: "" },
    });
    expect((await reviewed(envName, pod)).allowed).toBe(false);
  });

  it("only warns, or only notes, in the modes warn and audit", async () => {
    const envName = await environment();
    const pod = review(running(imageOf(someFingerprint()), "busybox:1"));
    const warned = await reviewed(envName, pod, { mode: "warn" });
    expect(warned).toEqual({
      ...{ uid: pod.request.uid, allowed: true },
      warnings: [
        expect.stringMatching(/^delivery evidence: container c0 .*no flow has reported/),
        expect.stringMatching(/^delivery evidence: container c1 .*not pinned/),
      ],
    });
    expect(warned.warnings?.every(({ length }) => length <= 256)).toBe(true);
    const noted = await reviewed(envName, pod, { mode: "audit" });
    expect(noted).toEqual({
      ...{ uid: pod.request.uid, allowed: true },
      auditAnnotations: { "refused-images": expect.stringContaining("2 of 2 images may not run") },
    });
  });

  it("can admit images without a digest unchecked, with a warning", async () => {
    const envName = await environment();
    const settings = { unpinned: "warn" as const };
    const open = await reviewed(envName, review(running("busybox:1")), settings);
    expect(open).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining("not checked: container c0 (busybox:1)")],
    });
    const mixed = review(running("busybox:1", imageOf(someFingerprint())));
    expect(await reviewed(envName, mixed, settings)).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining("1 of 2 images may not run") },
      warnings: [expect.any(String)],
    });
  });

  it.each(["web", "web:1", `web@sha512:${"a".repeat(128)}`, `web@sha256:${"a".repeat(63)}`, "", null])(
    "finds no digest in %j",
    async (image) => {
      const pod = podOf({ containers: [{ name: "c", image }] });
      const { allowed, status } = await reviewed(await environment(), review(pod));
      expect(allowed).toBe(false);
      expect(status?.message).toContain("not pinned by digest");
    },
  );

  it("checks only the images that an update adds", async () => {
    const envName = await environment();
    const [before, added] = [imageOf(someFingerprint()), imageOf(someFingerprint())];
    const update = (object: unknown) => review(object, { operation: "UPDATE", oldObject: running(before) });
    expect((await reviewed(envName, update(running(before)))).allowed).toBe(true);
    const debugged = podOf({ ...running(before).spec, ephemeralContainers: [{ name: "d", image: added }] });
    expect(await reviewed(envName, update(debugged))).toMatchObject({
      allowed: false,
      status: { message: expect.stringMatching(/^the image may not run.*\n- container d/) },
    });
  });

  it("admits other objects, and says that they were not checked", async () => {
    const envName = await environment();
    const deployment = { kind: { group: "apps", version: "v1", kind: "Deployment" } };
    expect(await reviewed(envName, review({ spec: {} }, deployment))).toEqual({
      ...{ uid: expect.any(String), allowed: true },
      warnings: [expect.stringContaining("only pods are checked, and this is a Deployment")],
    });
    for (const operation of ["DELETE", "CONNECT"])
      expect((await reviewed(envName, review(null, { operation }))).allowed).toBe(true);
  });

  it("is refused for an unknown environment, and outside of the scope of a key", async () => {
    const body = review(running(imageOf(someFingerprint())));
    const unknown = client.reviewAdmission({ envName: "nowhere", body });
    await expectRefusal(unknown, 404, `Environment named 'nowhere' does not exist for organization '${org}'`);
    const [own, other] = [await environment(), await environment()];
    const account = unique("account");
    await client.createServiceAccount({ body: { name: account, privilege: "reader" } });
    const { body: made } = await client.createApiKey({
      name: account,
      body: { description: "d", environments: [own] },
    });
    const limited = target.clientFor(made.key);
    expect((await limited.reviewAdmission({ envName: own, body })).body.response.allowed).toBe(false);
    await expectRefusal(
      limited.reviewAdmission({ envName: other, body }),
      403,
      "You don't have permission to access this resource",
    );
  });

  const right = async () => ({
    params: { env_name: await environment() },
    body: review(running(imageOf(someFingerprint()))),
  });
  invalidBodies(target, "reviewAdmission", right, [
    [{ apiVersion: "admission.k8s.io/v1beta1" }, "apiVersion", "Input should be 'admission.k8s.io/v1'"],
    [{ kind: "Pod" }, "kind", "Input should be 'AdmissionReview'"],
    [{ request: undefined }, "request", REQUIRED],
    [{ request: null }, "request", "Input should be"],
    [review({}), "request.object.spec", REQUIRED],
    [review(null), "request.object", "Input should be"],
    [review({ spec: { containers: {} } }), "request.object.spec.containers", "Input should be"],
    [review({ spec: { containers: [null] } }), "request.object.spec.containers[0]", "Input should be"],
    [review(running(7 as never)), "request.object.spec.containers[0].image", "Input should be"],
    [
      review({ spec: { volumes: [{ image: 1 }] } }),
      "request.object.spec.volumes[0].image",
      "Input should be",
    ],
    [review(running(), { uid: "" }), "request.uid", "String should have"],
  ]);
  invalidQueries(target, "reviewAdmission", right, [
    [{ mode: "block" }, "mode", "Input should be 'deny', 'warn' or 'audit'"],
    [{ unpinned: "allow" }, "unpinned", "Input should be 'deny' or 'warn'"],
  ]);
});

describe("an admission webhook", () => {
  it("is created with an address, listed without it, and deleted", async () => {
    const environmentName = await environment();
    const { url, ...created } = await webhook(environmentName, { mode: "warn" });
    expect(new URL(url).pathname).toMatch(/^\/api\/v2\/webhooks\/admission\/[0-9a-f]{64}$/);
    expect(created).toEqual({
      ...{ name: created.name, environmentName, mode: "warn", unpinned: "deny" },
      ...{ createdBy: expect.any(String), createdAt: expect.any(Number) },
      ...{ expiresAt: null, lastUsedAt: null },
    });
    expect((await client.listAdmissionWebhooks({})).body).toContainEqual(created);
    const again = client.createAdmissionWebhook({ body: { name: created.name, environmentName } });
    await expectRefusal(
      again,
      409,
      `Admission webhook '${created.name}' already exists in organization '${org}'`,
    );
    const pod = review(running("busybox"));
    expect(await send(url, pod)).toMatchObject({ status: 200, body: { response: { allowed: true } } });
    await client.deleteAdmissionWebhook({ webhookName: created.name });
    expect((await client.listAdmissionWebhooks({})).body).not.toContainEqual(created);
    await expectRefusal(send(url, pod), 401, "Unauthorized: no admission webhook has this address");
    await expectRefusal(
      client.deleteAdmissionWebhook({ webhookName: created.name }),
      404,
      `Admission webhook '${created.name}' does not exist in organization '${org}'`,
    );
  });

  it("reviews pods with its own settings, and follows its environment to a new name", async () => {
    const environmentName = await environment();
    const [deny, open] = [
      await webhook(environmentName),
      await webhook(environmentName, { mode: "audit", unpinned: "warn" }),
    ];
    const { fingerprint } = await delivered();
    const verdict = async ({ url }: { url: string }, ...images: string[]) =>
      (await send(url, review(running(...images)))).body.response;
    expect((await verdict(deny, imageOf(fingerprint))).allowed).toBe(true);
    await client.renameEnvironment({ envName: environmentName, body: { newName: `${environmentName}-2` } });
    expect(await verdict(deny, "busybox")).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining(`in environment '${environmentName}-2'`) },
    });
    expect(await verdict(open, "busybox", imageOf(someFingerprint()))).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining("not checked")],
      auditAnnotations: expect.any(Object),
    });
    await client.archiveEnvironment({ envName: `${environmentName}-2` });
    await expectRefusal(send(deny.url, review(running("busybox"))), 404, /has been archived/);
  });

  it("shows its last use, and can expire", async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const { name, url } = await webhook(await environment(), { expiresAt });
    expect((await send(url, review(running("busybox")))).status).toBe(200);
    const listed = async () =>
      (await client.listAdmissionWebhooks({})).body.find((each) => each.name === name);
    await vi.waitFor(async () => expect((await listed())?.lastUsedAt).toEqual(expect.any(Number)));
    expect(await listed()).toMatchObject({ expiresAt });
    const body = { name: unique("cluster"), environmentName: await environment(), expiresAt: 1 };
    await expectRefusal(client.createAdmissionWebhook({ body }), 400, "expires_at cannot be in the past");
  });

  it("gives access to nothing else", async () => {
    const { url } = await webhook(await environment());
    const token = url.split("/").at(-1) ?? "";
    const asKey = (path: string) => sendRaw("GET", path, { authorization: `Bearer ${token}` });
    expect((await asKey(`/api/v2/environments/${org}`)).status).toBe(401);
    expect((await sendRaw("GET", new URL(url).pathname)).status).toBe(405);
    for (const wrong of [url.slice(0, -1), `${url}0`, url.toUpperCase().replace("HTTP", "http")]) {
      const { status } = await send(wrong, review(running("busybox")));
      expect([401, 404]).toContain(status);
    }
  });

  it("refuses bodies that are no review", async () => {
    const { url } = await webhook(await environment());
    await expectInvalid(send(url, "{"), { body: "" }, /./);
    await expectInvalid(send(url, "[]"), { body: "Input should be" });
    await expectInvalid(send(url, {}), { apiVersion: REQUIRED, kind: REQUIRED, request: REQUIRED });
    const nested = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":${"[".repeat(100_000)}`;
    expect((await send(url, nested)).status).toBe(400);
    expect((await send(url, review(running("busybox")), { "content-type": "text/plain" })).status).toBe(415);
  });

  it("is created by administrators only", async () => {
    const { status } = await ask("createAdmissionWebhook", { key: null, body: {} });
    expect(status).toBe(401);
  });

  const right = async () => ({ body: { name: unique("cluster"), environment_name: await environment() } });
  invalidBodies(target, "createAdmissionWebhook", right, [
    [{ name: undefined }, "name", REQUIRED],
    [{ name: "a b" }, "name", "String should match pattern"],
    [{ environment_name: undefined }, "environment_name", REQUIRED],
    [{ mode: "block" }, "mode", "Input should be 'deny', 'warn' or 'audit'"],
    [{ unpinned: "audit" }, "unpinned", "Input should be 'deny' or 'warn'"],
    [{ expires_at: "soon" }, "expires_at", "Input should be"],
    [{ token: "x" }, "token", EXTRA],
  ]);

  it("needs an environment", async () => {
    const body = { name: unique("cluster"), environmentName: "nowhere" };
    await expectRefusal(client.createAdmissionWebhook({ body }), 404, /'nowhere' does not exist/);
  });
});
