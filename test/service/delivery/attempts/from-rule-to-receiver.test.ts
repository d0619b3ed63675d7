import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { verifyWebhook } from "../../../../src/api/resources/verify-webhook.ts";
import { openSenders } from "../../../../src/service/delivery/attempts/senders.ts";
import { COMMIT, FP, pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { mailServer } from "../messages/mail-server.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

let service: TestService;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
  service = await startTestService({}, { outgoing: { githubHosts: [new URL(receiver.address).host] } });
});
afterEach(async () => {
  await service.dispose();
  await receiver[Symbol.asyncDispose]();
});

const ACTION = `/actions/${ORG}/1`;
const put = async (...targets: object[]) => {
  const json = { name: "tell", targets, triggers: ["ON_ATTESTATION"] };
  return send(service, { method: "PUT", path: `/actions/${ORG}/flows`, json });
};
const post = (path: string, json: object = {}) =>
  send(service, { method: "POST", path: ACTION + path, json, key: service.keys.admin });
const get = (path: string) => send(service, { path: ACTION + path, key: service.keys.admin });
const webhook = (path = "/hook") => ({ type: "WEBHOOK", webhook: receiver.address + path });
const attest = async (more: object = {}) => {
  await pipeline(service).attest("web", "t1", { attestation_name: "unit", is_compliant: false, ...more });
};
const arrived = (count: number) => vi.waitFor(() => expect(receiver.received).toHaveLength(count), 10_000);
/** The verified requests that arrived. */
const proven = (
  secret: string,
  { headers, body } = receiver.received.at(-1) ?? expect.fail("nothing came"),
) => verifyWebhook(headers, body, secret);

test("an attestation is delivered to a webhook with valid signatures from the first event on", async () => {
  await put(webhook());
  await attest({ git_commit_info: { sha1: COMMIT, message: "Mend", author: "Ada", branch: "main" } });
  await arrived(1);
  await put(webhook());
  const { secrets, public_key } = (await post("/secret")).body;
  const [{ secret }] = secrets;
  expect(proven(secret)).toMatchObject({
    sequence: 1,
    type: "attestation.recorded",
    event_type: "ATTESTATION",
    org: ORG,
    flow: { name: "web" },
    trail: { name: "t1", compliance_state: "NON-COMPLIANT" },
    attestation: { name: "unit", is_compliant: false },
  });
  expect(receiver.received[0]?.body).toMatch(/^\{"sequence":1,"version":"1\.0",/);
  expect(proven(public_key)).toEqual(proven(secret));
  expect(() => proven(`whsec_${"A".repeat(43)}=`)).toThrow("signature");

  const log = await vi.waitFor(async () => {
    const { body } = await get("/deliveries");
    expect(body.data).toMatchObject([{ state: "delivered", attempts: 1, outcome: "delivered" }]);
    return (await get(`/deliveries/${body.data[0].id}`)).body;
  }, 10_000);
  expect(log).toMatchObject({
    body: receiver.received[0]?.body,
    log: [{ status: 200, answer: "thank you" }],
  });
  expect(Object.keys(log.log[0].request_headers).sort()).toEqual([
    "content-type",
    "webhook-id",
    "webhook-timestamp",
  ]);

  const { body: rotated } = await post("/secret/rotate");
  await attest();
  await arrived(2);
  expect(proven(rotated.secrets[0].secret)).toEqual(proven(secret));
});

test("a rotated secret signs until its grace period is over, and no longer", async () => {
  await put(webhook());
  const [{ secret: former }] = (await post("/secret")).body.secrets;
  const [{ secret }] = (await post("/secret/rotate", { grace_period_hours: 2 })).body.secrets;
  service.clock.time += 2 * 3600 - 1;
  await attest();
  await arrived(1);
  expect(proven(former)).toEqual(proven(secret));
  service.clock.time += 1;
  await attest({ attestation_name: "lint" });
  await arrived(2);
  expect(proven(secret)).toMatchObject({ sequence: 2 });
  expect(() => proven(former)).toThrow("signature");
});

test("a status change of an environment is delivered to a webhook, with the snapshot and the reason", async () => {
  const make = pipeline(service);
  const policy =
    "_schema: https://schemas.example/policy/environment/v1\nartifacts: { provenance: { required: true } }";
  const pod = (name: string, digest: string) => ({
    ...{ podName: name, namespace: "n", creationTimestamp: 1, digests: { [name]: digest } },
  });
  await make.artifact("web", "t1");
  await make.environment("prod");
  await make.policy("built", policy);
  await send(service, {
    ...{ method: "POST", path: `/environments/${ORG}/prod/policies`, key: service.keys.admin },
    json: { policy_names: ["built"] },
  });
  await send(service, {
    ...{ method: "PUT", path: `/actions/${ORG}/environments` },
    json: { name: "tell", targets: [webhook()], environments: ["prod"], triggers: ["ON_NON_COMPLIANT_ENV"] },
  });
  const [{ secret }] = (await post("/secret")).body.secrets;
  await make.report("prod", [pod("web", FP)]);
  await make.report("prod", [pod("web", FP), pod("api", "b".repeat(64))]);
  await arrived(1);
  expect(proven(secret)).toEqual({
    ...{ sequence: 1, version: "1.0", type: "environment.non_compliant", event_type: "NON_COMPLIANT_ENV" },
    ...{ timestamp: "1800000000", org: ORG, environment: "prod" },
    description: "Environment 'prod' became non-compliant, with snapshot 2.",
    reasons: ["'api': policy 'built': the artifact has no provenance: no flow has reported it"],
    html_url: `${service.address}/${ORG}/environments/prod`,
    artifact: { name: "api", fingerprint: "b".repeat(64) },
    snapshot: {
      ...{ index: "2", status: "non-compliant" },
      html_url: `${service.address}/${ORG}/environments/prod/snapshots/2`,
      api_url: `${service.address}/api/v2/snapshots/${ORG}/prod/2`,
    },
  });
});

test("a name that now resolves to a private address gets nothing, and the attempt says so", async () => {
  const name = "receiver.example.com";
  let address = "127.0.0.1";
  const lookup = vi.spyOn(dns, "lookup");
  lookup.mockImplementation(async (asked) => {
    expect(asked).toBe(name);
    return Object.assign([{ address, family: 4 }], { address, family: 4 });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    lookup.mockRestore();
    syncBuiltinESMExports();
  });
  // A kept-alive connection leads to an address that was allowed.
  receiver.answer = (_, answer) => answer.writeHead(200, { connection: "close" }).end();
  await put({ type: "WEBHOOK", webhook: `${receiver.address.replace("127.0.0.1", name)}/hook` });
  await attest();
  await arrived(1);
  address = "10.1.2.3";
  await attest({ attestation_name: "lint" });
  const log = await vi.waitFor(async () => {
    const [{ id }] = (await get("/deliveries?state=pending")).body.data;
    const { body } = await get(`/deliveries/${id}`);
    expect(body.log).toHaveLength(1);
    return body.log;
  }, 10_000);
  expect(log).toMatchObject([
    {
      outcome: "refused_address",
      status: null,
      answer: `${name} has a refused address: 10.1.2.3 is a private address`,
    },
  ]);
  expect((await get("/targets")).body).toMatchObject([{ state: "failing" }]);
  expect(receiver.received).toHaveLength(1);
});

test("a target that answers 410 gets no more, except a redelivery with the same body", async () => {
  receiver.answer = (_, answer) => answer.writeHead(410).end();
  await put(webhook());
  await attest();
  await arrived(1);
  await vi.waitFor(
    async () => expect((await get("/targets")).body).toMatchObject([{ state: "ended" }]),
    10_000,
  );
  await attest({ attestation_name: "lint" });
  receiver.answer = (_, answer) => answer.end();
  const [delivery] = (await get("/deliveries")).body.data;
  expect((await post(`/deliveries/${delivery.id}/redeliver`)).body).toMatchObject({ state: "delivered" });
  const [first, again, ...more] = receiver.received;
  expect([again?.id, again?.body, more]).toEqual([first?.id, first?.body, []]);
});

test("failed deliveries are recovered on request, but no examples", async () => {
  receiver.answer = (_, answer) => answer.writeHead(410).end();
  await put(webhook());
  await attest();
  await arrived(1);
  await vi.waitFor(
    async () => expect((await get("/targets")).body).toMatchObject([{ state: "ended" }]),
    10_000,
  );
  expect((await post("/test")).body.results).toMatchObject([{ delivered: false, status: 410 }]);
  expect((await post("/recover", { since: 0 })).body).toEqual({ recovered: 0, more: false });
  receiver.answer = (_, answer) => answer.end();
  await post("/enable");
  expect((await post("/recover", { since: 0 })).body).toEqual({ recovered: 1, more: false });
  await arrived(3);
  const [first, example, again] = receiver.received.map(({ id }) => id);
  expect(again).toBe(first);
  expect(example).not.toBe(first);
});

test("a test reports the answer of each target, sends blocks to Slack, and mails if a server is configured", async () => {
  receiver.answer = ({ url }, answer) => answer.writeHead(url === "/down" ? 503 : 200).end("busy");
  const slack = { type: "SLACK", webhook: `${receiver.address}/slack` };
  await put(webhook(), webhook("/down"), slack, { type: "EMAIL", emails: ["ada@example.org"] });
  const { results } = (await post("/test")).body;
  expect(results).toMatchObject([
    { target: { kind: "webhook" }, delivered: true, status: 200 },
    { target: { kind: "webhook" }, delivered: false, outcome: "status_503", status: 503, answer: "busy" },
    { target: { kind: "slack" }, delivered: true },
    {
      target: { kind: "email" },
      delivered: false,
      outcome: "not_set_up",
      answer: expect.stringContaining("--smtp-url"),
    },
  ]);
  const sent = receiver.received.find(({ path }) => path === "/slack");
  expect(JSON.parse(sent?.body ?? "")).toMatchObject({
    text: expect.any(String),
    attachments: [{ color: "#2e8540", blocks: expect.any(Array) }],
  });
});

test("GitHub is called with the token of the target, or not at all", async () => {
  await put(webhook("/api/v3/repos/acme/web/dispatches"));
  const sendTest = async () => (await post("/test")).body.results[0];
  expect(await sendTest()).toMatchObject({
    outcome: "no_token",
    answer: expect.stringContaining("Set one with setTargetToken"),
  });
  const key = service.keys.admin;
  const json = { token: "github_pat_1" };
  expect((await send(service, { method: "PUT", path: `${ACTION}/token`, json, key })).status).toBe(200);
  expect(await sendTest()).toMatchObject({ delivered: true });
  expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer github_pat_1"]);
});

test("a token for GitHub is sent to no host that the operator did not allow", async () => {
  const allowed = new URL(receiver.address).host;
  const strange = await startReceiver();
  onTestFinished(() => strange[Symbol.asyncDispose]());
  const path = "/api/v3/repos/acme/web/dispatches";
  await put(webhook(path), { type: "WEBHOOK", webhook: strange.address + path });
  const setToken = (json: object) =>
    send(service, { method: "PUT", path: `${ACTION}/token`, json, key: service.keys.admin });
  const token = "github_pat_1";
  const other = new URL(strange.address).host;
  expect(await setToken({ token })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`'${other}'`) },
  });
  expect(await setToken({ token, target: 2 })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("--github-hosts") },
  });
  expect(await setToken({ token, target: 1 })).toMatchObject({
    status: 200,
    body: `The token is sent to ${allowed} only`,
  });
  await put(webhook(path), { type: "WEBHOOK", webhook: `https://api.github.com/repos/acme/web/dispatches` });
  expect(await setToken({ token })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`${allowed}, api.github.com: set 'target'`) },
  });
  await put({ type: "WEBHOOK", webhook: "http://api.github.com/repos/acme/web/dispatches" });
  expect(await setToken({ token })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("use https://api.github.com") },
  });
});

test("a token that was set before its host was disallowed is not sent", async () => {
  const strange = await startReceiver();
  onTestFinished(() => strange[Symbol.asyncDispose]());
  const address = `${strange.address}/api/v3/repos/acme/web/dispatches`;
  const { senders, close } = openSenders({
    outgoing: { allowTargets: ["127.0.0.1"], allowHttpTargets: true },
    mail: undefined,
    mailRate: 0,
    secrets: { seal: (_, text) => text, open: (_, sealed) => sealed, hash: (text) => text },
    now: () => 0,
  });
  onTestFinished(close);
  const event = {
    id: "1",
    number: 1,
    event_trigger: "ON_ATTESTATION",
    payload: '{"reasons":[]}',
    created_at: 0,
  };
  const secrets = { secret: null, former_secret: null, former_secret_until: null, signing_key: null };
  const target = { id: "2", org_id: "3", action_id: "4", kind: "github", address, token: "ghp_1" } as const;
  const sent = await senders.github({ id: "5", event, merged: [], target: { ...target, ...secrets } });
  expect(sent).toMatchObject({ outcome: "no_token", answer: expect.stringContaining("--github-hosts") });
  expect(strange.received).toEqual([]);
});

test("a token repeated in an answer is not stored with it", async () => {
  receiver.answer = ({ headers }, answer) => answer.writeHead(403).end(JSON.stringify(headers));
  await put(webhook("/api/v3/repos/acme/web/dispatches"));
  const json = { token: "github_pat_1" };
  await send(service, { method: "PUT", path: `${ACTION}/token`, json, key: service.keys.admin });
  const [{ answer, delivery_id }] = (await post("/test")).body.results;
  expect(answer).toContain('"authorization":"Bearer ***"');
  expect((await get(`/deliveries/${delivery_id}`)).text).not.toContain("github_pat_1");
});

test("an address repeated in an answer is not stored with it", async () => {
  receiver.answer = ({ url }, answer) => answer.writeHead(404).end(`Cannot POST ${url}`);
  await put(webhook("/services/T0/B0/secret-part"));
  const [{ answer, delivery_id }] = (await post("/test")).body.results;
  expect(answer).toBe("Cannot POST ***");
  expect((await get(`/deliveries/${delivery_id}`)).text).not.toContain("secret-part");
});

/** Time in which events of a trail become one message. */
const TRAIL_SECONDS = 120;

test("each recipient gets a separate mail", async () => {
  const server = await mailServer({ disabledCommands: ["STARTTLS"] });
  const url = `smtp://127.0.0.1:${server.port}?requireTLS=false`;
  const mailing = await startTestService({}, { mail: { url, from: "Evidence <evidence@example.org>" } });
  try {
    const targets = [{ type: "EMAIL", emails: ["ada@example.org", "bob@example.org"] }];
    const rule = { name: "tell", targets, triggers: ["ON_ATTESTATION"] };
    await send(mailing, { method: "PUT", path: `/actions/${ORG}/flows`, json: rule });
    await pipeline(mailing).attest("web", "t1", { attestation_name: "unit", is_compliant: false });
    mailing.clock.time += TRAIL_SECONDS;
    await vi.waitFor(() => expect(server.received).toHaveLength(2), 10_000);
    const mails = server.received.map(({ mail, envelope }) => [
      envelope.to,
      mail.to?.map(({ address }) => address),
    ]);
    expect(mails.sort()).toEqual([
      [["ada@example.org"], ["ada@example.org"]],
      [["bob@example.org"], ["bob@example.org"]],
    ]);
    expect(server.received[0]?.mail.subject).toBe("web t1: 'unit' non-compliant");
  } finally {
    await mailing.dispose();
  }
});

test("a recipient unsubscribes over HTTPS with one POST from the mails of a rule", async () => {
  const server = await mailServer({ disabledCommands: ["STARTTLS"] });
  const url = `smtp://127.0.0.1:${server.port}?requireTLS=false`;
  const options = { mail: { url, from: "evidence@example.org" }, publicUrl: "https://evidence.example.org" };
  const mailing = await startTestService({}, options);
  onTestFinished(() => mailing.dispose());
  const emails = ["ada@example.org", "bob@example.org"];
  const json = { name: "tell", targets: [{ type: "EMAIL", emails }], triggers: ["ON_ATTESTATION"] };
  await send(mailing, { method: "PUT", path: `/actions/${ORG}/flows`, json });
  const raise = async (attestation_name: string) => {
    await pipeline(mailing).attest("web", "t1", { attestation_name, is_compliant: false });
    mailing.clock.time += TRAIL_SECONDS;
  };
  await raise("unit");
  await vi.waitFor(() => expect(server.received).toHaveLength(2), 10_000);
  const headersOf = (to: string) => {
    const mail = server.received.find(({ envelope }) => envelope.to.includes(to))?.mail;
    return new Map((mail?.headers ?? []).map(({ key, value }) => [key, value]));
  };
  const headers = headersOf("bob@example.org");
  expect(headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const [, link = ""] = /^<(https:[^>]+)>, <mailto:/.exec(headers.get("list-unsubscribe") ?? "") ?? [];
  const { pathname } = new URL(link);
  const visit = (method: "GET" | "POST", path = pathname) =>
    fetch(mailing.address + path, {
      method,
      ...(method === "POST" && { body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }),
    });
  const states = async () => {
    const { body } = await send(mailing, { path: `${ACTION}/targets`, key: mailing.keys.admin });
    return body.map(({ state }: { state: string }) => state);
  };
  const asked = await visit("GET");
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining("Unsubscribe</button>")]);
  expect(await states()).toEqual(["ok", "ok"]);
  expect((await visit("POST", `${pathname.slice(0, -3)}AAA`)).status).toBe(404);
  expect((await visit("POST")).status).toBe(200);
  expect((await visit("POST")).status).toBe(200);
  expect(await states()).toEqual(["ok", "ended"]);
  // The rule is saved again unchanged, as policy as code does.
  await send(mailing, { method: "PUT", path: `/actions/${ORG}/flows`, json });
  await raise("later");
  await vi.waitFor(() => expect(server.received).toHaveLength(3), 10_000);
  expect(server.received[2]?.envelope.to).toEqual(["ada@example.org"]);
  const log = (await send(mailing, { path: `/audit-log/${ORG}`, key: mailing.keys.admin })).text;
  expect(log).toContain("The recipient unsubscribed");
  const deliveries = (await send(mailing, { path: `${ACTION}/deliveries`, key: mailing.keys.admin })).body;
  expect(deliveries.data).toHaveLength(3);
  expect(mailing.logged.join("\n")).not.toContain(pathname.split("/").at(-1));
});

test("mails beyond the hourly limit of an organization wait with a reason and are sent in the next hour", async () => {
  const server = await mailServer({ disabledCommands: ["STARTTLS"] });
  const url = `smtp://127.0.0.1:${server.port}?requireTLS=false`;
  const mailing = await startTestService({ mailRate: 2 }, { mail: { url, from: "evidence@example.org" } });
  onTestFinished(() => mailing.dispose());
  const emails = ["ada", "bob", "eve"].map((name) => `${name}@example.org`);
  const json = { name: "tell", targets: [{ type: "EMAIL", emails }], triggers: ["ON_ATTESTATION"] };
  await send(mailing, { method: "PUT", path: `/actions/${ORG}/flows`, json });
  await pipeline(mailing).attest("web", "t1", { attestation_name: "unit", is_compliant: false });
  mailing.clock.time += TRAIL_SECONDS;
  const asked = (path: string) => send(mailing, { path: ACTION + path, key: mailing.keys.admin });
  const held = await vi.waitFor(async () => {
    const { data } = (await asked("/deliveries")).body;
    const found = data.find(({ outcome }: { outcome: string }) => outcome === "mail_limit");
    expect(found).toMatchObject({ state: "pending", attempts: 1 });
    return found;
  }, 10_000);
  const { log } = (await asked(`/deliveries/${held.id}`)).body;
  expect(log[0].answer).toContain("limit of 2 emails per hour");
  expect(log[0].answer).toContain("--mail-rate");
  expect((await asked("/targets")).body.map(({ state }: { state: string }) => state)).toEqual([
    "ok",
    "ok",
    "ok",
  ]);
  expect(held.due_at).toBe(mailing.clock.time - TRAIL_SECONDS + 3_600);
  await vi.waitFor(() => expect(server.received).toHaveLength(2), 10_000);
  mailing.clock.time += 3_600;
  await vi.waitFor(() => expect(server.received).toHaveLength(3), 10_000);
});

test("an address that is never allowed is refused together with its target", async () => {
  const { status, body } = await put(webhook(), { type: "WEBHOOK", webhook: "https://10.1.2.3/hook" });
  expect(status).toBe(400);
  expect(body.errors).toEqual({ "targets[1].webhook": expect.stringContaining("--allow-targets") });
});
