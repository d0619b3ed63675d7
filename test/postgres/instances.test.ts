import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { GITHUB_ISSUER } from "../../src/api/resources/trust-policies.ts";
import { type ServedProgram, serveProgram } from "../cli/program.ts";
import { runHere } from "../cli/terminal.ts";
import { unique } from "../conformance/unique.ts";
import { issuerByKeys } from "../identity/known-issuer.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { startReceiver } from "../service/delivery/attempts/receiver.ts";
import { COMMIT, FP, pipeline, type Reachable, type RequestToSend, send } from "../service/requests.ts";
import { ORG } from "../service/running-service.ts";
import { startBalancer } from "./balancer.ts";
import { PREPARED } from "./prepared.ts";
import { expectEachOnce, startSubmitters } from "./submissions.ts";

const KILLS = Number(process.env["TEST_INSTANCE_KILLS"] ?? 2);
const KEY = `de_${"k".repeat(43)}`;
/** Enough that each instance works on several at the same time. */
const REQUESTS = 20;
/** Address of a balancer in front of both: tokens are created for it. */
const PUBLIC_URL = "https://evidence.example.com";

interface Instance extends Reachable {
  readonly keys: { member: string; admin: string };
  readonly program: ServedProgram;
}

const issuer = issuerByKeys(GITHUB_ISSUER);

let data: string;
let url: string;
const dispatcher = new Agent();
const instances: Instance[] = [];

/** The options of an instance, on the database and the folder of attachments that all share. */
const optionsOf = (dataFolder: string) => [
  ...["--data", join(data, dataFolder), "--attachments", join(data, "attachments"), "--database-url", url],
  ...["--org", ORG, "--key-rate", "0", "--address-rate", "0"],
  ...["--allow-targets", "127.0.0.1", "--allow-http-targets"],
];

let started = 0;

/** The service as users start it. */
async function startInstance(more: readonly string[] = []): Promise<Instance> {
  const program = await serveProgram([...optionsOf(`${started++}`), ...more], {
    env: { EVIDENCE_ADMIN_KEY: KEY, EVIDENCE_DRAIN_SECONDS: "1" },
  });
  return { program, address: program.address, dispatcher, keys: { member: KEY, admin: KEY } };
}

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-instances-"));
  url = await newDatabase(`template ${PREPARED}`);
  instances.push(await startInstance(), await startInstance());
});
afterAll(async () => {
  for (const { program } of instances) await program.stop("SIGKILL");
  await dispatcher.destroy();
  await rm(data, { recursive: true });
});

/** Sends a request to both instances in turn, all concurrently. */
async function atOnce(message: (index: number) => RequestToSend, times = REQUESTS, among = instances) {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) => {
      const instance = among[index % among.length];
      if (!instance) throw new Error("No instance runs");
      return send(instance, message(index));
    }),
  );
  return answers.map(({ status, body, text }) => ({ status, body, text }));
}

const ask = async (path: string) => {
  const [answer] = await atOnce(() => ({ path }), 1);
  return answer?.body;
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

it("an instance is refused the data folder of another one, which receives files there", async () => {
  const { status, stderr } = await runHere(["serve", "--port", "0", ...optionsOf("0")]);
  expect([status, stderr]).toEqual([
    1,
    `delivery-evidence: Another service is using ${join(data, "0")}: give each instance its own --data\n`,
  ]);
});

describe(`${REQUESTS} concurrent requests through two instances`, () => {
  beforeAll(async () => {
    const make = pipeline(first());
    await make.artifact("web", "t1");
    await make.environment("prod");
    await make.policy("lasting", "_schema: https://example.org/v1\n");
  });

  const policyFile = (index: number) => ({
    part: "policy_file",
    name: "policy.yml",
    content: `_schema: https://example.org/v1\n# ${index}\n`,
  });

  it.each<[string, (index: number) => RequestToSend, (path: never) => number, string]>([
    [
      "flows",
      (i) => ({
        method: "PUT",
        path: `/flows/${ORG}/template_file`,
        form: { name: `f${i}`, description: "" },
      }),
      (list: never[]) => list.length - 1,
      `/flows/${ORG}`,
    ],
    [
      "environments",
      (i) => ({
        method: "PUT",
        path: `/environments/${ORG}`,
        json: { name: `e${i}`, type: "K8S", description: "" },
      }),
      (list: never[]) => list.length - 1,
      `/environments/${ORG}`,
    ],
    [
      "service accounts",
      (i) => ({ method: "POST", path: `/service-accounts/${ORG}`, json: { name: `a${i}`, role: "reader" } }),
      (list: never[]) => list.length - 1,
      `/service-accounts/${ORG}`,
    ],
    [
      "keys",
      () => ({
        method: "POST",
        path: `/service-accounts/${ORG}/admin/api-keys`,
        json: { description: "one of many" },
      }),
      (list: never[]) => list.length - 1,
      `/service-accounts/${ORG}/admin/api-keys`,
    ],
    [
      "policies",
      (i) => ({
        method: "PUT",
        path: `/policies/${ORG}`,
        form: { name: `p${i}` },
        formPart: "payload",
        files: [policyFile(i)],
      }),
      (list: never[]) => list.length - 1,
      `/policies/${ORG}`,
    ],
    [
      "custom types",
      (i) => ({ method: "POST", path: `/custom-attestation-types/${ORG}`, form: { name: `c${i}` } }),
      (list: never[]) => list.length,
      `/custom-attestation-types/${ORG}`,
    ],
    [
      "controls",
      (i) => ({ method: "POST", path: `/controls/${ORG}`, json: { identifier: `k${i}`, name: "c" } }),
      ({ controls }: { controls: unknown[] }) => controls.length,
      `/controls/${ORG}?per_page=100`,
    ],
  ])("create all %s", async (_, message, count, path) => {
    const answers = await atOnce(message);
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(count((await ask(path)) as never)).toBe(REQUESTS);
  });

  it("create one record of one name", async () => {
    const answers = await atOnce(() => ({
      method: "POST",
      path: `/controls/${ORG}`,
      json: { identifier: "same", name: "c" },
    }));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(REQUESTS - 1).fill(409)]);
  });

  it("record submissions of one Idempotency-Key once", async () => {
    const answers = await atOnce(() => ({
      method: "POST",
      path: `/attestations/${ORG}/web/trail/t1/generic`,
      form: { attestation_name: "once", is_compliant: true },
      headers: { "idempotency-key": "the same" },
    }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await ask(`/attestations/${ORG}/web/trail/t1/once`)).toHaveLength(1);
  });

  it("exchange one token of a workflow once, and the others report that it was used", async () => {
    const keys = join(data, "keys.json");
    await writeFile(keys, JSON.stringify(issuer.options.keys));
    const options = ["--public-url", PUBLIC_URL, "--oidc-keys", `${issuer.options.url}=${keys}`];
    const both = await Promise.all([startInstance(options), startInstance(options)]);
    onTestFinished(async () => {
      for (const { program } of both) await program.stop();
    });
    const ask = (message: RequestToSend, times: number) => atOnce(() => message, times, both);

    const json = { name: "web", issuer: issuer.options.url, repository: "acme/web", flows: ["web"] };
    const [created] = await ask({ method: "POST", path: `/trust-policies/${ORG}`, json }, 1);
    expect(created?.status).toBe(201);

    const token = issuer.token({ aud: `${PUBLIC_URL}/${ORG}` });
    const exchange = { method: "POST", path: "/oidc/token", json: { token, org: ORG }, key: null };
    const answers = await ask(exchange, REQUESTS);
    const refused = {
      code: "auth.token_used",
      message: "Unauthorized: the token was already used: request another one from its issuer",
    };
    const ordered = answers.sort((a, b) => a.status - b.status);
    expect(ordered.map(({ status }) => status)).toEqual([200, ...Array(REQUESTS - 1).fill(401)]);
    expect(ordered.slice(1).map(({ body }) => body)).toEqual(Array(REQUESTS - 1).fill(refused));
    const counted =
      "select (select count(*) from access_tokens) as tokens, (select count(*) from origins) as origins";
    expect(await askPostgres(url, counted)).toEqual([{ tokens: "1", origins: "1" }]);
  });

  it("start all trails by their reports, and the flow by the first of them", async () => {
    const answers = await atOnce((i) => ({
      method: "POST",
      path: `/artifacts/${ORG}/begun`,
      json: {
        fingerprint: FP,
        filename: "web",
        build_url: "https://ci.example/1",
        commit_url: "https://git.example/1",
        git_commit: COMMIT,
        trail_name: `t${i}`,
      },
    }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await ask(`/trails/${ORG}/begun`)).length).toBe(REQUESTS);
  });

  it("number approvals without gaps", async () => {
    const answers = await atOnce((i) => ({
      method: "POST",
      path: `/approvals/${ORG}/web`,
      json: { artifact_fingerprint: FP, description: `${i}`, src_commit_list: [COMMIT] },
    }));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const listed = await ask(`/approvals/${ORG}/web?per_page=100`);
    expect(ascending(listed.map(({ release_number }: { release_number: number }) => release_number))).toEqual(
      upTo(REQUESTS),
    );
  });

  it("number snapshots without gaps", async () => {
    const answers = await atOnce((i) => ({
      method: "PUT",
      path: `/environments/${ORG}/prod/report/K8S`,
      json: {
        type: "K8S",
        artifacts: [{ podName: "p", namespace: "n", digests: { [`web:${i}`]: FP }, creationTimestamp: 1 }],
      },
    }));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const { snapshots = [] } = { snapshots: await ask(`/snapshots/${ORG}/prod?per_page=100`) };
    expect(ascending(snapshots.map(({ index }: { index: number }) => index))).toEqual(upTo(REQUESTS));
  });

  it("number versions of a policy and of a type, and rules, without gaps", async () => {
    const policies = await atOnce((i) => ({
      method: "PUT",
      path: `/policies/${ORG}`,
      form: { name: "lasting" },
      formPart: "payload",
      files: [policyFile(i)],
    }));
    expect(policies.filter(({ status }) => status >= 300)).toEqual([]);
    const { versions } = await ask(`/policies/${ORG}/lasting`);
    expect(ascending(versions.map(({ version }: { version: number }) => version))).toEqual(
      upTo(REQUESTS + 1),
    );

    const types = await atOnce((i) => ({
      method: "POST",
      path: `/custom-attestation-types/${ORG}`,
      form: { name: "versioned", description: `${i}` },
    }));
    expect(types.filter(({ status }) => status >= 300)).toEqual([]);
    const type = await ask(`/custom-attestation-types/${ORG}/versioned`);
    expect(ascending(type.versions.map(({ version }: { version: number }) => version))).toEqual(
      upTo(REQUESTS),
    );

    const actions = await atOnce((i) => ({
      method: "PUT",
      path: `/organizations/${ORG}/environments_notifications`,
      json: {
        name: `n${i}`,
        targets: [{ type: "EMAIL", emails: ["a@example.org"] }],
        environments: [],
        triggers: [],
      },
    }));
    expect(actions.filter(({ status }) => status >= 300)).toEqual([]);
    const numbered = await ask(`/organizations/${ORG}/environments_notifications`);
    expect(ascending(numbered.map(({ number }: { number: number }) => number))).toEqual(upTo(REQUESTS));
  });
});

it("200 deliveries are sent by two instances, each once", async () => {
  await using receiver = await startReceiver();
  // Long enough that both have open ones.
  receiver.answer = (_, answer) => void setTimeout(() => answer.end(), 20);
  const flow = unique("told");
  const targets = [{ type: "WEBHOOK", webhook: `${receiver.address}/hook` }];
  await pipeline(first()).flow(flow);
  await pipeline(first()).action({ name: flow, flows: [flow], targets, triggers: ["ON_ATTESTATION"] });
  const sentBefore = await Promise.all(instances.map(deliveriesSent));
  const taken = async () => {
    const sent = await Promise.all(instances.map(deliveriesSent));
    return sent.map((count, at) => count - (sentBefore[at] ?? 0));
  };
  const actions: { name: string; number: number }[] = await ask(`/actions/${ORG}`);
  const number = actions.find(({ name }) => name === flow)?.number;
  // Either may be quicker and take all: then there are 200 more, until both have taken some.
  let rounds = 0;
  do {
    const round = rounds++;
    const answers = await atOnce(
      (i) => ({
        method: "POST",
        path: `/attestations/${ORG}/${flow}/trail/t1/generic`,
        form: { attestation_name: `a${round}-${i}`, is_compliant: true },
      }),
      200,
    );
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    await expect
      .poll(() => ask(`/actions/${ORG}/${number}/targets`))
      .toMatchObject([{ state: "ok", waiting: 0, last_success_at: expect.any(Number) }]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(200 * rounds);
    expect(receiver.received).toHaveLength(200 * rounds);
  } while (Math.min(...(await taken())) === 0 && rounds < 10);
  expect(Math.min(...(await taken())), "both take part").toBeGreaterThan(0);
});

/** The number of deliveries that an instance has sent, by its metrics. */
async function deliveriesSent({ address }: Instance): Promise<number> {
  const { body } = await dispatcher.request({ origin: address, path: "/metrics", method: "GET" });
  const found = (await body.text()).matchAll(/^evidence_deliveries_total\{outcome="delivered"\} (\d+)$/gm);
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
}

function first(): Instance {
  const [instance] = instances;
  if (!instance) throw new Error("No instance runs");
  return instance;
}

it(`${KILLS} kills of an instance under 8 writers: nothing confirmed is lost or stored twice`, {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const flow = unique("killed");
  const make = pipeline(first());
  await make.flow(flow);
  expect((await make.trail(flow, "t1")).status).toBe(201);
  const submitters = startSubmitters(() => instances, 8, flow);
  for (let kill = 0; kill < KILLS; kill++) {
    await submitters.progress(20);
    const at = kill % instances.length;
    await instances[at]?.program.stop("SIGKILL");
    instances[at] = await startInstance();
  }
  await submitters.progress(20);
  await submitters.finish();
  await expectEachOnce(first(), submitters, flow);
});

it("a rolling restart under load shows no client an error", async () => {
  const [victim] = instances;
  if (!victim) throw new Error("No instance runs");
  const balancer = await startBalancer();
  onTestFinished(() => balancer.close());
  for (const { address } of instances) balancer.add(address);
  await expect.poll(() => balancer.ready()).toBe(instances.length);
  const flow = unique("rolled");
  await pipeline(first()).flow(flow);
  await pipeline(first()).trail(flow, "t1");

  const through = { ...first(), address: balancer.address };
  const submitters = startSubmitters(() => [through], 8, flow);
  for (const [at, { program, address }] of instances.entries()) {
    await submitters.progress(20);
    const started = await startInstance();
    balancer.add(started.address);
    await expect.poll(() => balancer.ready()).toBe(instances.length + 1);
    const stopped = program.stop("SIGTERM");
    if (at === 0) expect(await drains(address)).toBe(true);
    expect(await stopped).toBe(0);
    balancer.remove(address);
    instances[at] = started;
  }
  await submitters.progress(20);
  await submitters.finish();
  expect(submitters.refused).toEqual([]);
  await expectEachOnce(first(), submitters, flow);
});

/** Whether a stopped service reports that it is not ready before it closes its port. */
async function drains(address: string): Promise<boolean> {
  const ask = () =>
    dispatcher.request({ origin: address, path: "/ready", method: "GET" }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => 0,
    );
  let status = await ask();
  while (status === 200) status = await ask();
  return status === 503;
}
