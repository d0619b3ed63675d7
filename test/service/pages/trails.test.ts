import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { signedIn, type Visitor } from "./visitor.ts";

const TEMPLATE =
  "version: 1\ntrail:\n  attestations:\n    - name: unit\n      type: generic\n  artifacts:\n    - name: web\n      attestations:\n        - name: scan\n          type: generic\n";
const OTHER_COMMIT = "d".repeat(40);
const HOSTILE = `<script>alert(1)</script>\u202e`;
const commit = (sha1: string) => ({
  sha1,
  message: "m",
  author: "ada",
  branch: "main",
  url: `https://github.com/acme/web/commit/${sha1}`,
});

let service: TestService;
let reader: Visitor;
let admin: Visitor;
beforeAll(async () => {
  service = await startTestService();
  reader = await signedIn(service, service.keys.reader);
  admin = await signedIn(service, service.keys.admin);
});
afterAll(() => service.dispose());

const page = (path: string) => reader.get(`/${ORG}${path}`);
const csv = async (path: string, table: string) =>
  (await page(`${path}?format=csv&table=${table}`)).text.split("\r\n").slice(0, -1);

/** The path of an attestation, from the link on the page of its trail. */
async function attestationPath(trail: string, name: string): Promise<string> {
  const { text } = await page(trail);
  const [, path = ""] = new RegExp(`<a href="/${ORG}([^"]+)"><bdi>${name}</bdi>`).exec(text) ?? [];
  expect(path).toContain("/attestations/");
  return path;
}

describe("the page of an empty trail", () => {
  it("has a CSV for screen reader users, too, and no empty data blocks", async () => {
    const { flow, trail: begin, attest } = pipeline(service);
    await flow("plain");
    await begin("plain", "t1", { user_data: {} });
    await attest("plain", "t1");
    const { text } = await page("/flows/plain/trails/t1");
    expect(text).toContain('<span class="unseen"> of Attestations of the trail</span>');
    expect(text).not.toContain("User data");
  });
});

describe("facts", () => {
  const suite = { name: "s", failures: 1, errors: 0, skipped: 0, total: 3, duration: 1 };
  const finding = { id: "CVE-1", message: HOSTILE, locations: [{ uri: "a.ts", lines: "1" }] };
  const counts = { low_count: 0, medium_count: 0, high_count: 1, high: [finding] };
  const sbom = {
    format: "cyclonedx-1.6",
    original_fingerprint: FP,
    document: {
      created_at: "2026-01-01T00:00:00Z",
      tools: [HOSTILE],
      subject: { name: "web", version: "1.2" },
      package_count: 214,
    },
  };
  it.each<[string, object, string, string, string]>([
    [
      "junit",
      { junit_results: [suite] },
      "1 of 3 tests failed",
      "1 of 3 tests failed in 1 of 1 suite",
      "kind: test\n      record: facts",
    ],
    [
      "pull_request",
      { git_provider: "github", pull_requests: [] },
      "no pull request found",
      "no pull request was found",
      "kind: pull_request\n      record: facts",
    ],
    [
      "sarif",
      { sarif_results: { tool: { name: "Trivy", version: "1" }, results: [counts] } },
      "1 high found",
      "1 high in 1 result, by Trivy 1",
      "kind: scan\n      record: facts",
    ],
    [
      "sbom",
      sbom,
      "cyclonedx-1.6, 214 packages",
      "cyclonedx-1.6, 214 packages",
      "kind: sbom\n      record: facts",
    ],
  ])("of %s are shown like the judged kind, and as compliant", async (type, data, short, long, inputs) => {
    const { attest } = attestations(service);
    const recorded = await attest("system", "facts", {
      ...{ attestation_name: type, type_name: type, attestation_data: data },
    });
    expect(recorded.status).toBe(201);
    const trail = "/flows/facts/trails/t1";
    expect((await page(trail)).text).toContain(short);
    const { text } = await page(await attestationPath(trail, type));
    expect(text).toMatch(new RegExp(`<p class="lead">.*Compliant.* <bdi>${long}</bdi>`));
    expect(text).toContain(inputs);
    expect(text).not.toContain("<script>alert");
  });
});

describe("the page of a trail", () => {
  it("links earlier records of a slot, and only those of that slot", async () => {
    const { flow, trail, attest, artifact } = pipeline(service);
    await flow("web", TEMPLATE);
    await trail("web", "v1");
    await artifact("web", "v1", { template_reference_name: "web" });
    for (const [index, isCompliant] of [false, false, true].entries()) {
      service.clock.time += 1;
      await attest("web", "v1", { is_compliant: isCompliant, description: `run ${index}` });
    }
    await attest("web", "v1", { artifact_fingerprint: FP, attestation_name: "unit" });
    const { text } = await page("/flows/web/trails/v1");
    const [, rows = ""] = /<table id="part-0">([\s\S]*?)<\/table>/.exec(text) ?? [];
    expect(rows).toContain("<summary>2 earlier</summary>");
    expect(rows.match(/Non-compliant/g)).toHaveLength(2);
    expect(text.match(/earlier<\/summary>/g)).toHaveLength(1);
  });

  it("lists pending attestations of an artifact at a commit, until it is reported", async () => {
    const { flow, trail, attest, artifact } = pipeline(service);
    await flow("claims", TEMPLATE);
    await trail("claims", "v1");
    const claim = { attestation_name: "scan", target_artifacts: ["web"], git_commit_info: commit(COMMIT) };
    await attest("claims", "v1", claim);
    const waits = /waits for artifact <bdi>web<\/bdi> at commit <span class="digest"><code title="(\w+)"/;
    expect(waits.exec((await page("/flows/claims/trails/v1")).text)?.[1]).toBe(COMMIT);
    await artifact("claims", "v1", { template_reference_name: "web", git_commit: OTHER_COMMIT });
    expect((await page("/flows/claims/trails/v1")).text).toMatch(waits);
    await artifact("claims", "v1", {
      template_reference_name: "web",
      git_commit: COMMIT,
      fingerprint: "b".repeat(64),
    });
    expect((await page("/flows/claims/trails/v1")).text).not.toMatch(waits);
  });

  it("shows changes of the flow's template since then, line by line", async () => {
    const { flow, trail } = pipeline(service);
    await flow("changing", TEMPLATE);
    await trail("changing", "v1");
    expect((await page("/flows/changing/trails/v1")).text).not.toContain("template has changed");
    await flow("changing", TEMPLATE.replace("name: scan", `name: audit # ${HOSTILE}`));
    const { text } = await page("/flows/changing/trails/v1");
    expect(text).toContain("The flow's template has changed");
    const lines = [...text.matchAll(/<span class="(both|before|after)">.*?<\/span>.*?<\/span>([^<]*)/g)];
    expect(
      lines.filter(([, side]) => side !== "both").map(([, side, line]) => `${side} ${line?.trim()}`),
    ).toEqual(["before - name: scan", "after - name: audit # &lt;script&gt;alert(1)&lt;/script&gt;\\u202e"]);
    expect(lines).toHaveLength(TEMPLATE.trim().split("\n").length + 1);
  });
});

describe("the page of an attestation", () => {
  const trail = "/flows/kinds/trails/t1";
  beforeAll(async () => {
    const { flow, trail: begin } = pipeline(service);
    await flow("kinds");
    await begin("kinds", "t1");
  });

  it("of a custom type shows the false rules and the version", async () => {
    const { attest, customType } = attestations(service);
    const rules = [".lines > 80", ".branches > 60", ".lines >= .branches"];
    await customType({ name: "coverage", evaluator: { content_type: "jq", rules } });
    const attested = (name: string, data: object) =>
      attest("custom", "kinds", { attestation_name: name, type_name: "coverage", attestation_data: data });
    await attested("low", { lines: 12, branches: 70 });
    await attested("odd", { lines: 90, branches: "many" });
    await attested("broken", { lines: 90, branches: {} });
    await customType({ name: "coverage", evaluator: { content_type: "jq", rules: [".lines > 1"] } });
    await attested("good", { lines: 12 });
    const low = await attestationPath(trail, "low");
    expect((await page(low)).text).toContain("rules 1, 3 of 3 are false");
    expect(await csv(low, "rules")).toEqual([
      "Rule,Result,Expression",
      "1,false,.lines > 80",
      "2,true,.branches > 60",
      "3,false,.lines >= .branches",
    ]);
    expect((await page(await attestationPath(trail, "good"))).text).toContain("the rule is true");
  });

  it("of a type whose rule gives no result names that rule", async () => {
    const { attest, customType } = attestations(service);
    await customType({
      name: "odd",
      evaluator: { content_type: "jq", rules: [".a == 1", ".b | keys", ".c"] },
    });
    await attest("custom", "kinds", {
      attestation_name: "no-verdict",
      type_name: "odd",
      attestation_data: { a: 1, b: 2 },
    });
    const path = await attestationPath(trail, "no-verdict");
    expect((await page(path)).text).toContain("the evaluation failed: rule 2 (.b | keys)");
    expect((await csv(path, "rules")).slice(1)).toEqual([
      "1,true,.a == 1",
      "2,error,.b | keys",
      "3,unknown,.c",
    ]);
  });

  it("that was overridden links to the override, with its author and reason", async () => {
    const { attest, override } = attestations(service);
    await attest("junit", "kinds", {
      attestation_name: "tests",
      junit_results: [{ name: "s", failures: 1, errors: 0, skipped: 0, total: 2, duration: 1 }],
    });
    const first = await attestationPath(trail, "tests");
    expect((await page(first)).text).toContain("1 of 2 tests failed in 1 of 1 suite");
    expect((await admin.get(`/${ORG}${first}`)).text).toContain("Override this attestation");
    service.clock.time += 1;
    const overriding = {
      attestation_name: "tests",
      original_attestation_type: "junit",
      reason: `a flake ${HOSTILE}`,
    };
    await override("kinds", overriding);
    const second = await attestationPath(trail, "tests");
    expect(second).not.toBe(first);
    const before = (await admin.get(`/${ORG}${first}`)).text;
    expect(before).toMatch(
      /A later attestation with this name replaces this one:<\/strong> <a href="[^"]+">/,
    );
    expect(before).not.toContain("Override this attestation");
    const { text } = await page(second);
    expect(text).toContain("overridden to compliant by member");
    expect(text).toContain(`<a href="/${ORG}${first}"><bdi>the previous attestation</bdi></a>`);
    const columns = (await csv(second, "history")).map((line) => line.split(",").slice(1).join());
    expect(columns).toEqual([
      "Result,Kind,By,Origin,Reason",
      `OVERRIDDEN to COMPLIANT,override,member,API key,a flake ${HOSTILE}`,
      "NON-COMPLIANT,attestation,member,API key,",
    ]);
  });

  it("that was overridden before it was recorded is OVERRIDDEN on each page and in each table", async () => {
    const template = "version: 1\ntrail:\n  attestations: [{ name: review, type: generic }]\n";
    await pipeline(service).trail("kinds", "asked", {}, template);
    await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/kinds/trail/asked/override`,
      json: {
        ...{ attestation_name: "review", original_attestation_type: "generic" },
        ...{ new_compliance_status: false, reason: "not reviewed" },
      },
    });
    const asked = trail.replace(/[^/]+$/, "asked");
    const own = await attestationPath(asked, "review");
    const word = /Overridden<\/span> to non-compliant/g;
    expect((await page(asked)).text.match(word), "the checklist and the events").toHaveLength(2);
    expect((await page(own)).text.match(word)).toHaveLength(1);
    expect((await csv(own, "history"))[1]).toContain("OVERRIDDEN to NON-COMPLIANT");
  });

  it("lists the failed tests from its user data, each linked to its line at the commit", async () => {
    const { attest } = attestations(service);
    const failed = [
      { name: HOSTILE, suite: "s", file: "src/a b.ts", line: 12, message: "expected 1" },
      { name: "outside", file: "../../etc/passwd", line: 1 },
      { name: "address", file: "javascript:alert(1)", line: "1" },
      7,
    ];
    await attest("junit", "kinds", {
      attestation_name: "named",
      git_commit_info: commit(COMMIT),
      junit_results: [{ name: "s", failures: 4, errors: 0, skipped: 0, total: 4, duration: 1 }],
      user_data: { failed_tests: failed },
    });
    const { text } = await page(await attestationPath(trail, "named"));
    expect(text).toContain(`href="https://github.com/acme/web/blob/${COMMIT}/src/a%20b.ts#L12"`);
    const [, rows = ""] = /<table id="failed">([\s\S]*?)<\/table>/.exec(text) ?? [];
    expect(rows.match(/<a href="https:/g)).toHaveLength(1);
    expect(rows).toContain("<bdi>../../etc/passwd:1</bdi>");
    expect(rows).not.toMatch(/href="javascript|<script/);
  });

  it("of pull requests shows who approved when, which commits the forge has verified, and its review", async () => {
    const { attest } = attestations(service);
    await attest("pull_request", "kinds", {
      attestation_name: "review",
      git_provider: "github",
      user_data: {
        review: {
          four_eyes: false,
          four_eyes_missing: [HOSTILE, 7],
          written_with_agents: true,
          agents: ["Robot"],
        },
      },
      pull_requests: [
        {
          url: "https://github.com/acme/web/pull/7",
          state: "MERGED",
          author: "ada",
          title: HOSTILE,
          created_at: 1_799_990_000,
          merged_at: 1_799_990_100,
          head_ref: "x",
          merge_commit: COMMIT,
          approvers: [{ username: "grace", state: "APPROVED", timestamp: 1_799_990_050 }],
          commits: [{ ...commit(OTHER_COMMIT), verified: true }],
        },
      ],
    });
    const path = await attestationPath(trail, "review");
    const { text } = await page(path);
    expect(text).toContain("merged, 1 approver, none is the author");
    expect(text).toMatch(/grace<\/bdi>, <bdi>APPROVED<\/bdi> <time/);
    expect((await csv(path, "commits"))[1]).toBe(`${OTHER_COMMIT},m,ada,verified by the forge,`);
    expect(text).toMatch(/<dt>[^/]*Four eyes.*?<\/dt><dd><bdi>no: /);
    expect(text).toMatch(/<dt>[^/]*Written with agents.*?<\/dt><dd><bdi>yes: Robot</);
  });
});
