import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, unique } from "./unique.ts";

const target = await conformance();
const { client, sendRaw, org } = target;
const { delivered } = pipeline(target);

const HEADERS = { sonar: "X-Sonar-Webhook-HMAC-SHA256", "launch-darkly": "X-LD-Signature" } as const;
type Kind = keyof typeof HEADERS;

async function hook(kind: Kind, more: object = {}) {
  const { body } = await client.createHook({ body: { name: unique("hook"), kind, ...more } });
  return body;
}

type Hook = Awaited<ReturnType<typeof hook>>;

const signatureOf = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

function send(to: Pick<Hook, "url" | "kind" | "secret">, content: object | string, headers: object = {}) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const signed = { [HEADERS[to.kind]]: signatureOf(to.secret, text), "content-type": "application/json" };
  return sendRaw("POST", new URL(to.url).pathname, { ...signed, ...headers }, text);
}

const analysis = (more: object = {}) => ({
  serverUrl: "https://sonar.example",
  taskId: unique("task"),
  status: "SUCCESS",
  analysedAt: "2026-01-31T12:00:00+0000",
  revision: someCommit(),
  project: { key: unique("acme:web"), name: "Web", url: "https://sonar.example/web" },
  qualityGate: { name: "gate", status: "OK", conditions: [] },
  properties: {},
  ...more,
});

const attestations = async (flowName: string, trailName: string, attestationName: string) =>
  (await client.listTrailAttestations({ flowName, trailName, attestationName })).body;

describe("hooks", () => {
  it("are created with a secret, listed without it, and deleted", async () => {
    const { secret, ...created } = await hook("sonar", { flowName: "web" });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(created).toEqual({
      ...{ name: created.name, kind: "sonar", flowName: "web", createdBy: expect.any(String) },
      url: expect.stringMatching(/\/api\/v2\/webhooks\/sonar\/[\w-]{43}$/),
      createdAt: expect.any(Number),
    });
    expect((await client.listHooks({})).body).toContainEqual(created);
    const again = client.createHook({ body: { name: created.name, kind: "launch-darkly" } });
    await expectRefusal(again, 409, `Hook '${created.name}' already exists in organization '${org}'`);
    await client.deleteHook({ hookName: created.name });
    expect((await client.listHooks({})).body).not.toContainEqual(created);
    await expectRefusal(send({ ...created, secret }, analysis()), 404, "No such hook");
    const gone = client.deleteHook({ hookName: created.name });
    await expectRefusal(gone, 404, `Hook '${created.name}' does not exist in organization '${org}'`);
  });

  invalidBodies(target, "createHook", () => ({ body: { name: unique("hook"), kind: "sonar" } }), [
    [{ name: undefined }, "name", REQUIRED],
    [{ kind: "jira" }, "kind", "Input should be 'sonar' or 'launch-darkly'"],
    [{ flow_name: "a b" }, "flow_name", "String should match pattern"],
    [{ secret: "x" }, "secret", EXTRA],
  ]);

  it("refuse unsigned, altered and too large webhooks, and other addresses", async () => {
    const made = await hook("sonar");
    const path = new URL(made.url).pathname;
    const problem = "The signature does not match the body and the hook's secret";
    const text = JSON.stringify(analysis());
    for (const signature of [
      "",
      "0".repeat(64),
      signatureOf("other", text),
      signatureOf(made.secret, `${text} `),
    ]) {
      await expectRefusal(send(made, text, { [HEADERS.sonar]: signature }), 401, problem);
    }
    await expectRefusal(sendRaw("POST", path, {}, text), 401, problem);
    const unknown = { ...made, url: made.url.slice(0, -1) };
    await expectRefusal(send(unknown, text), 404, "No such hook");
    const otherKind = { ...made, url: made.url.replace("/sonar/", "/launch-darkly/") };
    await expectRefusal(send(otherKind, text), 404, "No such hook");
    const large = " ".repeat(1024 * 1024 + 1);
    await expectRefusal(send(made, large), 413, /larger than the limit of 1024 KB/);
    expect((await sendRaw("GET", path)).status).toBe(405);
    await expectInvalid(send(made, "{"), { body: "" }, /./);
  });
});

describe("a webhook of Sonar", () => {
  it("is recorded once in the flow of the project and the trail of the revision", async () => {
    const made = await hook("sonar");
    const sent = analysis();
    const flowName = sent.project.key.replace(":", "-");
    const message = `Recorded sonar attestation 'sonar' on trail '${sent.revision}' of flow '${flowName}'`;
    for (let each = 0; each < 2; each++)
      expect(await send(made, sent)).toMatchObject({ status: 200, body: { message } });
    const recorded = await attestations(flowName, sent.revision, "sonar");
    expect(recorded).toMatchObject([
      {
        ...{ attestationType: "sonar", isCompliant: true, reportedBy: `hook ${made.name}` },
        gitCommitInfo: { sha1: sent.revision },
        sonarResults: { taskId: sent.taskId, project: { name: "Web" } },
      },
    ]);
    const failed = { ...sent, qualityGate: undefined, status: "FAILED" };
    // The first one again is old news.
    for (const each of [failed, sent]) expect((await send(made, each)).status).toBe(200);
    const all = await attestations(flowName, sent.revision, "sonar");
    expect(all.map(({ isCompliant }) => isCompliant)).toEqual([false, true]);
  });

  it("is recorded where its properties say", async () => {
    const made = await hook("sonar", { flowName: unique("other") });
    const built = await delivered();
    const properties = {
      "sonar.analysis.kosli_flow": built.flow,
      "sonar.analysis.evidence_trail": built.trail,
      "sonar.analysis.kosli_attestation": "web.scan",
      "sonar.analysis.kosli_artifact_fingerprint": built.fingerprint,
    };
    expect((await send(made, analysis({ properties }))).status).toBe(200);
    const attestation = { flowName: built.flow, fingerprint: built.fingerprint, attestationName: "scan" };
    expect((await client.getArtifactAttestation(attestation)).body).toMatchObject([{ isCompliant: true }]);
  });

  it("describes the flow and the trail that it creates, and no others", async () => {
    const made = await hook("sonar");
    const flowName = unique("scanned");
    const sent = async (trail: string, description: string) =>
      send(
        made,
        analysis({
          properties: {
            "sonar.analysis.kosli_flow": flowName,
            "sonar.analysis.kosli_flow_description": `flow ${description}`,
            "sonar.analysis.evidence_trail": trail,
            "sonar.analysis.evidence_trail_description": `trail ${description}`,
          },
        }),
      );
    for (const [trail, description] of [
      ["one", "first"],
      ["one", "second"],
      ["two", "third"],
    ] as const)
      expect((await sent(trail, description)).status).toBe(200);
    expect((await client.getFlow({ flowName })).body).toMatchObject({ description: "flow first" });
    const descriptionOf = async (trailName: string) =>
      (await client.getTrail({ flowName, trailName })).body["description"];
    expect([await descriptionOf("one"), await descriptionOf("two")]).toEqual(["trail first", "trail third"]);
    const tooLong = "String should have at most 65536 characters";
    await expectInvalid(sent("three", "x".repeat(64 * 1024)), {
      ...{ flow_description: tooLong, trail_description: tooLong },
    });
  });

  it("without a usable flow, trail or project is refused", async () => {
    const made = await hook("sonar");
    const properties = { "sonar.analysis.kosli_flow": "not a name" };
    await expectInvalid(send(made, analysis({ properties })), { flow_name: "String should match pattern" });
    await expectInvalid(send(made, analysis({ revision: "" })), {
      trail_name: "String should match pattern",
    });
    await expectInvalid(send(made, analysis({ project: { key: "web" }, qualityGate: "OK" })), {
      "sonar_results.qualityGate": "Input should be a valid dictionary",
    });
    await expectInvalid(send(made, "[]"), {
      flow_name: "String should match pattern",
      trail_name: "String should match pattern",
    });
  });
});

describe("a webhook of LaunchDarkly", () => {
  const entry = (flag: string, environment: string, more: object = {}) => ({
    _id: unique("entry"),
    date: 1_780_000_000_000,
    kind: "flag",
    name: "Checkout",
    accesses: [
      { action: "updateOn", resource: `proj/web;tag:env/${environment}:flag/${flag};beta` },
      { action: "updateRules", resource: `proj/web:env/${environment}:flag/${flag}` },
    ],
    member: { _id: "m1", email: "ada@example.org" },
    titleVerb: "turned on the flag",
    title: "Ada turned on the flag",
    ...more,
  });

  it("is recorded once in the flow of the environment and the trail of the flag, without personal data", async () => {
    const made = await hook("launch-darkly");
    const [flag, environment] = [unique("flag"), unique("env")];
    const sent = entry(flag, environment);
    for (let each = 0; each < 2; each++)
      expect((await send(made, sent)).body).toEqual({ message: "Recorded 1 flag change" });
    const recorded = await attestations(`launch-darkly-${environment}`, flag, "flag-change");
    expect(recorded).toMatchObject([
      {
        ...{ attestationType: "generic", isCompliant: true, description: "Checkout: turned on the flag" },
        userData: { id: sent._id, project: "web", environment, flag, date: sent.date, member_id: "m1" },
      },
    ]);
    expect(JSON.stringify(recorded)).not.toContain("ada@example.org");
    await send(made, entry(flag, environment));
    expect(await attestations(`launch-darkly-${environment}`, flag, "flag-change")).toHaveLength(2);
  });

  it("about something else than a flag in an environment is not recorded", async () => {
    const made = await hook("launch-darkly");
    const message = "Not recorded: the entry is not about a flag in an environment";
    for (const sent of [
      entry("f", "*"),
      entry("f", "e", { kind: "member" }),
      entry("f", "e", { accesses: "x" }),
    ])
      expect(await send(made, sent)).toMatchObject({ status: 200, body: { message } });
    await expectInvalid(send(made, {}), { _id: "Field required" });
  });
});
