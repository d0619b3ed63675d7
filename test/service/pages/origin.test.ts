import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { originFacts } from "../../../src/service/pages/parts/records.ts";
import { makePaths } from "../../../src/service/pages/paths.ts";
import { FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { workflowToken } from "../workflow-token.ts";
import { signedIn, type Visitor } from "./visitor.ts";

const COMMIT = "1".repeat(40);
const RUN = "https://github.example/acme/web/actions/runs/123/attempts/1";
const TEMPLATE = `version: 1
trail:
  attestations: [{ name: lint, type: generic }, { name: by-hand, type: generic }, { name: missing, type: generic }]
  artifacts: [{ name: web, attestations: [{ name: unit, type: generic }] }]
`;

const PROVEN = {
  state: "verified",
  name: "gitlab.example:acme/web",
  url: null,
  issuer: "https://gitlab.example/x",
  policy: "builds",
  differences: {},
  claims: {},
} as const;

/** For a viewer without access to trust policies. */
const NO_LINKS = {
  to: makePaths({ publicUrl: "https://evidence.example", org: ORG, assets: new Map() }),
  mayOpen: () => false,
};

let service: TestService;
let reader: Visitor;
beforeAll(async () => {
  service = await startTestService();
  const key = pipeline(service);
  await key.flow("web", TEMPLATE);
  await key.environment("prod");
  const workflow = pipeline(service, await workflowToken(service));
  await workflow.trail("web", "v1", { git_commit_info: { sha1: COMMIT } });
  await workflow.artifact("web", "v1", {
    git_commit: COMMIT,
    commit_url: `https://github.example/acme/web/commit/${COMMIT}`,
    build_url: RUN,
    template_reference_name: "web",
  });
  await workflow.attest("web", "v1", {
    attestation_name: "lint",
    git_commit_info: { sha1: "2".repeat(40) },
    origin_url: "https://github.example/acme/web/actions/runs/99",
  });
  await workflow.attest("web", "v1", { artifact_fingerprint: FP });
  await key.attest("web", "v1", { attestation_name: "by-hand" });
  await workflow.report("prod", [
    { podName: "p", namespace: "n", digests: { "web:1": FP }, creationTimestamp: 1 },
  ]);
  reader = await signedIn(service, service.keys.reader);
});
afterAll(() => service.dispose());

const page = async (path: string) => (await reader.get(`/${ORG}${path}`)).text;
const csv = async (path: string, table: string) =>
  (await page(`${path}?format=csv&table=${table}`)).split("\r\n").slice(0, -1);
/** The value of a named fact on a page. */
const fact = (text: string, name: string) => text.split(`<dt>${name}</dt><dd>`)[1]?.split("</dd>")[0];

async function attestationPage(name: string): Promise<string> {
  const { body } = await send(service, { path: `/attestations/${ORG}?flow_name=web&trail_name=v1` });
  const found = body.data.find((each: { attestation_name: string }) => each.attestation_name === name);
  return page(`/flows/web/trails/v1/attestations/${found.attestation_id}`);
}

describe("a record by a workflow", () => {
  it.each([
    ["a trail", "/flows/web/trails/v1"],
    ["an artifact", `/flows/web/artifacts/${FP}`],
    ["a snapshot", "/environments/prod/snapshots/1"],
  ])(
    "shows on the page of %s: the run, the signer, the trust policy, and all proven claims",
    async (_, path) => {
      const text = await page(path);
      expect(fact(text, "Origin")).toMatch(/Verified<\/span> Proven by GitHub: /);
      expect(fact(text, "Origin")).toContain(
        `<a href="${RUN}" rel="noreferrer noopener nofollow ugc"><bdi>github:acme/web build.yml run 123 attempt 1</bdi></a>`,
      );
      expect(fact(text, "Issuer")).toContain("https://github.example/_services/token");
      expect(fact(text, "Trust policy")).toContain("workflow");
      expect(fact(text, "Proven claims")).toMatch(/<details[^>]*><summary>.*&quot;runner_environment&quot;/s);
    },
  );

  it("shows the recorded and the proven value of each different field", async () => {
    const origin = fact(await attestationPage("lint"), "Origin");
    expect(origin).toMatch(/Different<\/span> Proven by GitHub: /);
    expect(origin).toContain(
      `<li><bdi>commit</bdi>: the record says <code>${"2".repeat(40)}</code>, proven is <code>${COMMIT}</code></li>`,
    );
    expect(origin).toContain(
      `<li><bdi>run</bdi>: the record says <code>https://github.example/acme/web/actions/runs/99</code>, proven is <code>${RUN}</code></li>`,
    );
  });

  it("notes that no token proves an author, nor any missing fields", () => {
    const differences = { commit: { said: COMMIT, proven: "" } };
    const [[, origin] = []] = originFacts({ ...PROVEN, state: "different", differences }, NO_LINKS);
    expect(String(origin)).toContain("the token proves none");
    expect(String(origin)).toContain(
      "Tokens do not prove the author of a commit. The author is as reported.",
    );
  });

  it("has a mark in the lists of a trail and of an artifact", async () => {
    const last = (lines: string[]) => lines.map((line) => line.split(",").at(-1));
    expect(last(await csv("/flows/web/trails/v1", "part-0"))).toEqual(["Origin", "", "different", "API key"]);
    expect(last(await csv(`/flows/web/artifacts/${FP}`, "attestations"))).toEqual(["Origin", "verified"]);
    const text = await page("/flows/web/trails/v1");
    expect(text).toMatch(
      /<span><span class="verdict warn"><svg[^>]*>.{0,90}<\/svg>Different<\/span><\/span>/,
    );
  });
});

describe("the pages that list records", () => {
  it("mark the origin of each approval, and of each attestation of a name", async () => {
    const approve = (key: string) => {
      const json = { artifact_fingerprint: FP, src_commit_list: [COMMIT], description: "go" };
      return send(service, { method: "POST", path: `/approvals/${ORG}/web`, json, key });
    };
    expect((await approve(await workflowToken(service))).status).toBe(201);
    expect((await approve(service.keys.member)).status).toBe(201);
    const column = (lines: readonly string[]) => {
      const [head = "", ...rows] = lines;
      const index = head.split(",").indexOf("Origin");
      return rows.map((row) => row.split(",")[index]);
    };
    expect(column(await csv("/approvals/web", "approvals"))).toEqual(["API key", "verified"]);
    const listed = await send(service, { path: `/artifacts/${ORG}/web/${FP}/approvals` });
    expect(listed.body.map(({ origin }: { origin?: { state: string } }) => origin?.state)).toEqual([
      "verified",
      undefined,
    ]);
    await pipeline(service).attest("web", "v1", { attestation_name: "lint" });
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/lint` });
    const path = `/flows/web/trails/v1/attestations/${body[0].attestation_id}`;
    expect(column(await csv(path, "history"))).toEqual(["API key", "different"]);
  });

  it("link the trust policy for those who may see it", async () => {
    const path = `/${ORG}/flows/web/trails/v1`;
    const link = `<a href="/${ORG}/trust-policies/workflow">`;
    const admin = await signedIn(service, service.keys.admin);
    expect(fact((await admin.get(path)).text, "Trust policy")).toContain(link);
    expect(fact((await reader.get(path)).text, "Trust policy")).not.toContain("<a");
  });
});

describe("a record by a key", () => {
  it("says so briefly and not as a fault", async () => {
    const text = await attestationPage("by-hand");
    expect(fact(text, "Origin")).toBe("API key: not proven");
    expect(text).not.toContain("<dt>Issuer</dt>");
  });
});

describe("a record that was replayed with a key", () => {
  it("names the run that spooled it, in responses and on its page, for a report and for an attestation", async () => {
    const headers = { "x-evidence-spooled-by": "repository%20mallory%2Fweb%2C%20run_id%2077" };
    const fingerprint = "5".repeat(64);
    const address = "https://ci.example/1";
    await send(service, {
      method: "POST",
      path: `/artifacts/${ORG}/web`,
      json: { fingerprint, filename: "app", trail_name: "v1", build_url: address, commit_url: address },
      headers,
    });
    const form = { attestation_name: "replayed", is_compliant: true };
    await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/v1/generic`,
      form,
      headers,
    });
    const spooledBy = "repository mallory/web, run_id 77";
    expect(await artifactAnswer(fingerprint)).toMatchObject({ spooled_by: spooledBy });
    expect(fact(await page(`/flows/web/artifacts/${fingerprint}`), "Spooled by")).toContain(spooledBy);
    expect(fact(await attestationPage("replayed"), "Spooled by")).toContain(spooledBy);
    expect(await artifactAnswer(FP)).not.toHaveProperty("spooled_by");
    expect(await attestationPage("by-hand")).not.toContain("Spooled by");
  });

  async function artifactAnswer(fingerprint: string) {
    const { body } = await send(service, { path: `/artifacts/${ORG}/web/fingerprint/${fingerprint}` });
    return body;
  }
});

describe("the proven origin", () => {
  const originOf = (more: object) => String(originFacts({ ...PROVEN, ...more }, NO_LINKS)[0]?.[1]);

  it("is marked only if the author of the commit recorded it", () => {
    expect(originOf({ byAuthor: true })).toMatch(/By the author<\/span> by the author of the commit/);
    for (const byAuthor of [false, undefined]) expect(originOf({ byAuthor })).not.toContain("by the author");
  });

  it("names another issuer by its host, and links only web addresses", () => {
    const origin = originOf({ url: "javascript:alert(1)", name: "<script>" });
    expect(origin).toContain("Proven by gitlab.example: <bdi>&lt;script&gt; (javascript:alert(1))</bdi>");
  });
});
