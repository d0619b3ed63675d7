import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { signedIn, type Visitor, visitor } from "./visitor.ts";

/** Text or an address from a hostile client. */
const SCRIPT = `<script>alert(1)</script>"onload="x" \u202Eevil`;
const ADDRESS = `javascript:alert(1)//"onload=`;
const TEMPLATE =
  "version: 1\ntrail:\n  artifacts:\n    - name: web\n      attestations:\n        - name: scan\n          type: generic\n        - name: unit\n          type: generic\n";
const OTHER = "b".repeat(64);

let service: TestService;
let reader: Visitor;
beforeAll(async () => {
  service = await startTestService();
  const { flow, trail, artifact, attest, environment, report, policy } = pipeline(service);
  await flow("web", TEMPLATE);
  await trail("web", "v1");
  const reported = await artifact("web", "v1", {
    filename: SCRIPT,
    description: SCRIPT,
    build_url: 'https://ci.example/"onload="x',
    git_commit_info: { sha1: COMMIT, message: SCRIPT, author: SCRIPT, branch: SCRIPT, url: ADDRESS },
    repo_info: { name: "acme/web", url: "https://git.example/acme/web", description: SCRIPT },
    user_data: { [SCRIPT]: SCRIPT },
  });
  expect(reported.text).toContain("OK");
  await attest("web", "v1", { artifact_fingerprint: FP, is_compliant: false, description: SCRIPT });
  await artifact("api", "t1", { filename: "api:1" });
  await environment("prod");
  const running = (digests: object) => [{ podName: "p", namespace: "n", digests, creationTimestamp: 1 }];
  await report("prod", running({ "web:1": FP }));
  service.clock.time += 60;
  await report("prod", running({ "web:1": OTHER }));
  service.clock.time += 60;
  await report("prod", running({ "web:1": FP }));
  await policy(
    "strict",
    "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:\n  attestations:\n    - name: unit\n      type: generic\n",
  );
  await policy("lax", "_schema: https://kosli.com/schemas/policy/environment/v1\n");
  reader = await signedIn(service, service.keys.reader);
});
afterAll(() => service.dispose());

const page = (path: string) => reader.get(`/${ORG}${path}`);
const artifactPath = `/flows/web/artifacts/${FP}`;

describe("the page of an artifact", () => {
  it("shortens the name of a trail that is a commit, with the whole in the title", async () => {
    const { flow, trail, artifact } = pipeline(service);
    await flow("long", TEMPLATE);
    await trail("long", COMMIT);
    const fingerprint = "c".repeat(64);
    await artifact("long", COMMIT, { filename: "long:1", fingerprint });
    const { text } = await page(`/flows/long/artifacts/${fingerprint}`);
    const short = `<span title="${COMMIT}">${COMMIT.slice(0, 7)}</span>`;
    const [, lead = ""] = /<p class="lead">([\s\S]*?)<\/p>/.exec(text) ?? [];
    const [, why = ""] = /data-head="Why">([\s\S]*?)<\/td>/.exec(text) ?? [];
    for (const part of [lead, why]) expect(part).toContain(`trail &#39;${short}&#39;`);
    const links = text.match(/<a href="[^"]*\/trails\/[^"]*" title="[0-9a-f]{40}"><bdi>[0-9a-f]{7}<\/bdi>/g);
    expect(links).toHaveLength(2);
    const csv = (await page(`/flows/long/artifacts/${fingerprint}?format=csv&table=flows`)).text;
    expect(csv).toContain(`trail '${COMMIT}'`);
  });

  it("shows the result and the reason of each flow, the worst first, and when it ran where", async () => {
    const { status, text } = await page(artifactPath);
    expect(status).toBe(200);
    expect(text.indexOf(">Non-compliant<")).toBeLessThan(text.indexOf("<h2>"));
    expect(text).toContain(
      "attestation &#39;scan&#39; (generic) is missing in flow &#39;web&#39;, trail &#39;v1&#39;",
    );
    const csv = async (table: string) => (await page(`${artifactPath}?format=csv&table=${table}`)).text;
    expect(
      (await csv("attestations")).split("\r\n").map((line) => line.split(",").slice(0, 4).join()),
    ).toEqual([
      "Attestation,State,Type,Required",
      "unit,NON-COMPLIANT,generic,yes",
      "scan,MISSING,generic,yes",
      "",
    ]);
    expect(await csv("runs")).toBe(
      "Environment,Runs now,From,To\r\n" +
        "prod,yes,2027-01-15 08:02:00 UTC,\r\n" +
        "prod,no,2027-01-15 08:00:00 UTC,2027-01-15 08:01:00 UTC\r\n",
    );
    expect((await csv("flows")).split("\r\n").map((line) => line.split(",").slice(0, 3).join())).toEqual([
      "Flow,Trail,Status",
      "web,v1,NON-COMPLIANT",
      "api,t1,COMPLIANT",
      "",
    ]);
  });

  it("shows hostile text as text, and links only web addresses", async () => {
    for (const path of [artifactPath, "/flows/web/artifacts"]) {
      const { text } = await page(path);
      expect(text).not.toContain("<script>alert");
      expect(text).not.toMatch(/href="javascript:/i);
      expect(text).not.toContain('"onload="');
      expect(text).not.toContain("\u202E");
      expect(text).toContain("\\u202eevil");
    }
  });

  it("is found by its fingerprint in capitals, and by its start", async () => {
    expect((await page(`/flows/web/artifacts/${FP.toUpperCase()}`)).status).toBe(200);
    const { status, headers } = await page("/flows/web/artifacts/aaaaa");
    expect({ status, location: headers["location"] }).toEqual({
      status: 303,
      location: `/${ORG}${artifactPath}`,
    });
  });

  it("returns 404 if it is missing or belongs to another organization, and sign-in without a session", async () => {
    const first = await send(service, { path: `/artifacts/${ORG}/web/fingerprint/${FP}` });
    await pipeline(service).artifact("web", "v2", { filename: "again:2", template_reference_name: "web" });
    const { pathname, search } = new URL(first.body.html_url);
    const { text } = await reader.get(pathname + search);
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("again:2</bdi></h1>");
    const later = await page(`${artifactPath}?artifact_id=nobody-knows-it`);
    expect(later.text).toContain("again:2</bdi></h1>");
    expect(later.text).toContain("Your link is for an earlier report");
  });

  it.each([
    ["environment=prod", "ompliant</span> in ", "prod"],
    ["policy=lax", ">Compliant<", "by these policies"],
    [
      "policy=lax&policy=strict",
      ">Non-compliant<",
      "policy &#39;strict&#39;: the attestation &#39;unit&#39; of type generic is",
    ],
    ["environment=prod&policy=lax", "alert", "Give either an environment or policies, not both"],
    ["environment=nowhere", "alert", "Environment named &#39;nowhere&#39; does not exist"],
  ])("asserts it by %s", async (query, verdict, why) => {
    const { status, text } = await page(`${artifactPath}?${query}`);
    const box = text.slice(text.indexOf("Check against an environment"));
    expect({ status, box }).toEqual({ status: 200, box: expect.stringContaining(verdict) });
    expect(box).toContain(why);
  });

  it("equals the page of a missing artifact for other organizations", async () => {
    for (const path of [
      `/flows/web/artifacts/${OTHER}`,
      `/flows/none/artifacts/${FP}`,
      "/flows/none/artifacts",
    ]) {
      expect({ path, status: (await page(path)).status }).toEqual({ path, status: 404 });
    }
    const stranger = await signedIn(service, service.keys.stranger);
    expect((await stranger.get(`/${ORG}${artifactPath}`)).status).toBe(404);
    expect((await visitor(service).get(`/${ORG}${artifactPath}`)).status).toBe(303);
  });
});

describe("the artifacts of a flow", () => {
  it("are listed by page, the newest first", async () => {
    for (let i = 0; i < 51; i++) {
      await pipeline(service).artifact("many", "t", { fingerprint: i.toString(16).padStart(64, "0") });
    }
    const first = (await page("/flows/many/artifacts")).text;
    expect(first.match(/<th scope="row">/g)).toHaveLength(50);
    expect(first).toContain('rel="next" href="?page=2"');
    const second = (await page("/flows/many/artifacts?page=2")).text;
    expect(second.match(/<th scope="row">/g)).toHaveLength(1);
    expect(second).not.toContain('rel="next"');
  });

  it("explain how to create the first", async () => {
    await pipeline(service).flow("empty");
    expect((await page("/flows/empty/artifacts")).text).toContain("kind: artifact");
  });
});
