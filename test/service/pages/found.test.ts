import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { problemsOn, signedIn, type Visitor } from "./visitor.ts";

/** Text or an address from a hostile client. */
const SCRIPT = `<script>alert(1)</script>"onload="x" \u202Eevil`;
const ADDRESS = `javascript:alert(1)//"onload=`;
const UNKNOWN = `fade${"0".repeat(60)}`;

let service: TestService;
let reader: Visitor;
beforeAll(async () => {
  service = await startTestService();
  const { flow, artifact, control, environment, report } = pipeline(service);
  await flow("web");
  await flow("quiet");
  const named = { name: "Reviewed by two", description: "" };
  for (const identifier of ["REV-1", "REV-2"]) await control({ ...named, identifier });
  await environment("prod");
  await artifact("web", "v1", {
    repo_info: {
      name: "acme/web",
      url: "https://git.example/acme/web",
      provider: "github",
      description: SCRIPT,
    },
  });
  await artifact("web-api", "v1", {
    filename: "api:1",
    fingerprint: "b".repeat(64),
    git_commit: "d".repeat(40),
  });
  await report("prod", [
    { podName: "p", namespace: "n", digests: { "web:1": FP, "odd:1": UNKNOWN }, creationTimestamp: 1 },
  ]);
  const approve = (more: object) =>
    send(service, {
      method: "POST",
      path: `/approvals/${ORG}/web`,
      json: { artifact_fingerprint: FP, description: SCRIPT, src_commit_list: [COMMIT], ...more },
    });
  await approve({});
  const review = { comment: SCRIPT, approved_by: SCRIPT, approval_url: ADDRESS };
  const approvals = [
    { ...review, state: "APPROVED" },
    { ...review, state: "UNAPPROVED" },
  ];
  await approve({ approvals, environment: "prod", user_data: { [SCRIPT]: SCRIPT } });
  await attestations(service).customType(
    {
      name: "coverage",
      description: SCRIPT,
      evaluator: { content_type: "jq", rules: [".percent >= 80 # </pre><script>alert(1)</script>"] },
    },
    { type: "object", description: SCRIPT },
  );
  reader = await signedIn(service, service.keys.reader);
});
afterAll(() => service.dispose());

const page = (path: string) => reader.get(`/${ORG}${path}`);
const csv = async (path: string, table: string) =>
  (await page(`${path}?format=csv&table=${table}`)).text.split("\r\n").slice(0, -1);
const redirectOf = async (path: string) => {
  const { status, headers } = await page(path);
  return { status, location: headers["location"] };
};

describe("approvals", () => {
  it("are shown by flow, each with the latest, and then all of a flow", async () => {
    const columns = (lines: string[]) => lines.map((line) => line.split(",").slice(0, 3).join());
    expect(columns(await csv("/approvals", "approvals"))).toEqual([
      "Flow,Latest approval,State",
      "quiet,,",
      "web,2,UNAPPROVED",
      "web-api,,",
    ]);
    expect(columns(await csv("/approvals/web", "approvals"))).toEqual([
      "Approval,State,Artifact",
      "2,UNAPPROVED,web:1.2",
      "1,PENDING,web:1.2",
    ]);
    expect((await page("/approvals/quiet")).text).toContain("recordApproval flow_name=quiet");
    expect((await page("/approvals?flow=nothing-such")).text).toContain("No flows match.");
  });

  it("show the last review, with the commits and the artifacts built from them", async () => {
    const { text } = await page("/approvals/web/2");
    expect(text.indexOf(">Unapproved<")).toBeLessThan(text.indexOf("<h2>"));
    expect(await csv("/approvals/web/2", "commits")).toEqual([
      "Commit,Artifacts built from this commit",
      `${COMMIT},${FP}`,
    ]);
    expect((await page("/approvals/web/1")).text).toContain("not reviewed yet");
    expect((await page(`/flows/web/artifacts/${FP}`)).text).toContain('href="/acme/approvals/web/2"');
  });

  it("counted from the end are those of their number; others are not found", async () => {
    expect(await redirectOf("/approvals/web/-1")).toEqual({ status: 303, location: "/acme/approvals/web/2" });
    for (const number of ["3", "0", "1.5", "x"]) {
      expect({ number, status: (await page(`/approvals/web/${number}`)).status }).toEqual({
        number,
        status: 404,
      });
    }
    expect((await page("/approvals/nowhere")).status).toBe(404);
  });
});

describe("searching", () => {
  it.each([
    [FP.slice(0, 6), `/acme/flows/web/artifacts/${FP}`],
    [`web:1@sha256:${FP}`, `/acme/flows/web/artifacts/${FP}`],
    [COMMIT.toUpperCase().slice(0, 8), `/acme/flows/web/artifacts/${FP}`],
    ["quie", "/acme/flows/quiet"],
    ["PROD", "/acme/environments/prod"],
    ["acme/", "/acme/repos/acme/web"],
  ])("for %s leads to the only match", async (q, location) => {
    expect(await redirectOf(`/search?q=${encodeURIComponent(q)}`)).toEqual({ status: 303, location });
  });

  it("lists several matches by kind, and running artifacts that were not reported", async () => {
    const names = async (kind: string) =>
      (await page(`/search?q=web&format=csv&table=found-${kind}`)).text
        .split("\r\n")
        .map((line) => line.split(",")[0]);
    expect(await names("flow")).toEqual(["Name", "web", "web-api", ""]);
    expect(await names("repo")).toEqual(["Name", "acme/web", ""]);
    const { text } = await page("/search?q=web%20author:nobody%20is:failing");
    expect(text).toContain('<a href="?q=web+is%3Afailing" aria-label="Remove author:nobody">');
    const controls = await page("/search?q=two");
    for (const identifier of ["REV-1", "REV-2"]) {
      expect(controls.text).toContain(`<span><bdi>${identifier}</bdi></span>`);
    }
    const unknown = await page("/search?q=fade0");
    expect(unknown.text).toContain("Unknown origin");
    expect(unknown.text).toContain('href="/acme/environments/prod"');
  });

  it("repeats the query when nothing was found", async () => {
    expect((await page("/search?q=12345")).text).toContain("Nothing found for <bdi>12345</bdi>.");
    const { status, text } = await page(`/search?q=${encodeURIComponent(SCRIPT)}`);
    expect(status).toBe(200);
    expect(text).toContain("Nothing found for");
    const long = await page(`/search?q=${"x".repeat(5000)}`);
    expect([long.status, problemsOn(long)]).toEqual([400, { search: "Must have at most 500 characters" }]);
    for (const q of ["!!!", "is:failing !!!", 'flow:web "-"']) {
      const nothing = await page(`/search?q=${encodeURIComponent(q)}`);
      expect([q, nothing.status, problemsOn(nothing)]).toEqual([
        q,
        400,
        { search: expect.stringMatching(/letter or a digit|letter, digit or qualifier/) },
      ]);
    }
    expect((await page("/search?q=no:such")).text).toContain('role="alert"');
    expect((await page("/search")).status).toBe(200);
  });
});

describe("repositories", () => {
  it("show their running and built artifacts", async () => {
    expect((await csv("/repos", "repos"))[1]).toMatch(/^acme\/web,github,https:\/\/git\.example\/acme\/web,/);
    const [, running] = await csv("/repos/acme/web", "running");
    expect(running).toMatch(new RegExp(`^prod,web:1,${FP},${COMMIT},UNKNOWN,.*,1$`));
    const [, built] = await csv("/repos/acme/web", "artifacts");
    expect(built).toMatch(new RegExp(`^web:1\\.2,${FP},COMPLIANT,v1,${COMMIT},`));
    expect((await page("/repos/acme/none")).status).toBe(404);
    expect((await page("/repos?name=none")).text).toContain("No repositories match.");
  });
});

describe("custom attestation types", () => {
  it("are shown with their rules and schema", async () => {
    expect((await csv("/attestation-types", "types"))[1]).toMatch(/^coverage,1,/);
    expect((await page("/attestation-types/coverage")).text).toContain(".percent &gt;= 80");
    expect((await page("/attestation-types/none")).status).toBe(404);
  });
});

it.each([
  "/approvals",
  "/approvals/web",
  "/approvals/web/2",
  "/search?q=web",
  `/search?q=${encodeURIComponent(SCRIPT)}`,
  "/repos",
  `/repos?name=${encodeURIComponent(SCRIPT)}`,
  `/approvals?flow=${encodeURIComponent(SCRIPT)}`,
  "/repos/acme/web",
  "/attestation-types",
  "/attestation-types/coverage",
])("%s shows hostile text as text", async (path) => {
  const { status, text } = await page(path);
  expect(status).toBe(200);
  expect(text).not.toContain("<script>alert");
  expect(text).not.toMatch(/href="javascript:/i);
  expect(text).not.toContain('"onload="');
  // A field keeps its input.
  expect(text.replaceAll(/<input[^>]*>/g, "")).not.toContain("\u202E");
});
