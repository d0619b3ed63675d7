import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { signedIn, type Visitor } from "./visitor.ts";

const POLICY =
  "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:\n  provenance:\n    required: true\n  attestations:\n    - name: scan\n      type: snyk\n";
const HOUR = 60 * 60;

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
const pod = (image: string, fingerprint: string, name = "p") => ({
  podName: name,
  namespace: "shop",
  digests: { [image]: fingerprint },
  creationTimestamp: 1_799_990_000,
  owners: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: "u" }],
});
const other = (digit: string) => digit.repeat(64);

describe("the page of an environment", () => {
  it("without a policy is UNKNOWN everywhere, and says how to change that", async () => {
    const { environment, report } = pipeline(service);
    await environment("bare");
    await report("bare", [pod("web:1", FP)]);
    await report("bare", [pod("web:2", other("b"))]);
    const { text } = await page("/environments/bare");
    expect(text).toContain("No policy is attached.");
    const absent = await page("/diff?a=bare%239&b=bare");
    expect([absent.status, absent.text]).toEqual([
      400,
      expect.stringContaining(
        "<p>Snapshot &#39;bare#9&#39; does not exist: environment &#39;bare&#39; has the snapshots 1 to 2</p>",
      ),
    ]);
    expect(text).toContain(`<a href="/${ORG}/policies">Policies</a> are attached by members.`);
    expect(text).not.toContain("ompliant</span>");
    expect((await csv("/environments/bare", "snapshots")).map((line) => line.split(",")[1])).toEqual([
      "State",
      "UNKNOWN",
      "UNKNOWN",
    ]);
    const own = (await admin.get(`/${ORG}/environments/bare`)).text;
    expect(own).toContain('<a href="#attach">Attach a policy</a>');
    expect(own).toMatch(/id="attach"/);
  });

  it("shows where its instances run, and which of them are unknown", async () => {
    const { environment, report } = pipeline(service);
    await environment("pods");
    await report("pods", [pod("web:1", FP)]);
    const { text } = await page("/environments/pods");
    expect(text).toContain('<ul class="tags"><li><bdi>shop</bdi></li></ul>');
    expect(text).toContain("in shop, of ReplicaSet web-1");
    await environment("tasks", { type: "ECS" });
    const task = (id: string, digests: object) => ({
      taskArn: `arn:aws:ecs:eu-west-1:1:task/shop/${id}`,
      digests,
      cluster_name: "shop",
      creationTimestamp: 1_799_990_000,
    });
    await send(service, {
      method: "PUT",
      path: `/environments/${ORG}/tasks/report/ECS`,
      json: { type: "ECS", artifacts: [task("t1", { "web:1": FP }), task("t2", { "odd:1": "" })] },
    });
    const tasks = (await page("/environments/tasks")).text;
    expect(tasks).toContain('<ul class="tags"><li><bdi>shop</bdi></li><li><bdi>task t2</bdi></li></ul>');
    expect(tasks).toContain("The image has no digest.");
  });

  it("warns of a report older than three times the usual interval, or than a day", async () => {
    const { environment, report } = pipeline(service);
    await environment("steady");
    await environment("rare");
    for (const index of [1, 2, 3, 4, 5]) {
      await report("steady", [pod("web:1", other(String(index)))]);
      if (index < 3) await report("rare", [pod("web:1", other(String(index)))]);
      service.clock.time += HOUR;
    }
    const stale = async (name: string) =>
      /The last report is [\w ]+ old\.<\/strong>[^<]*/.exec((await page(`/environments/${name}`)).text)?.[0];
    service.clock.time += 2 * HOUR;
    expect(await stale("steady")).toBeUndefined();
    service.clock.time += HOUR;
    expect(await stale("steady")).toContain("at least every 3 hours");
    expect(await stale("rare")).toBeUndefined();
    service.clock.time += 24 * HOUR;
    // A session does not last that long.
    reader = await signedIn(service, service.keys.reader);
    expect(await stale("rare")).toContain("at least every 1 day");
  });

  it("of a logical environment says for each artifact in which members it runs", async () => {
    const { environment, report } = pipeline(service);
    for (const [name, digit] of [
      ["east", "e"],
      ["west", "f"],
    ] as const) {
      await environment(name);
      await report(name, [pod("web:1", other(digit))]);
    }
    await send(service, {
      method: "PUT",
      path: `/environments/${ORG}`,
      json: { name: "all", type: "logical", description: "", included_environments: ["east", "west"] },
      key: service.keys.admin,
    });
    const rows = await csv("/environments/all", "running");
    expect(rows.map((line) => line.split(",").slice(0, 2).join())).toEqual([
      "Artifact,Environment",
      "web:1,east",
      "web:1,west",
    ]);
    expect((await page("/environments/east")).text).not.toContain('<th scope="col">Environment</th>');
  });
});

describe("an environment that is not compliant", () => {
  it("shows the reasons at its head and with each artifact, in words, the most frequent first", async () => {
    const { environment, report, policy, flow, artifact, attest } = pipeline(service);
    await policy("clean", `${POLICY}  trail-compliance:\n    required: true\n`);
    await environment("untidy");
    await send(service, {
      method: "POST",
      path: `/environments/${ORG}/untidy/policies`,
      json: { policy_names: ["clean"] },
      key: service.keys.admin,
    });
    await flow("untidy");
    await artifact("untidy", "v1", { fingerprint: other("7") });
    await attest("untidy", "v1", { artifact_fingerprint: other("7"), is_compliant: false });
    await report("untidy", [
      pod("known:1", other("7"), "a"),
      pod("new:1", other("8"), "b"),
      pod("new:2", other("9"), "c"),
    ]);
    const { text } = await page("/environments/untidy");
    const [, head = "", body = ""] = /<h1>(.*?)<dl(.*)/s.exec(text) ?? [];
    const reasons = (html: string) =>
      [...html.matchAll(/<ul class="reasons">(.*?)<\/ul>/gs)].map(([, list = ""]) =>
        [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, each = ""]) => each.replaceAll(/<[^>]+>/g, "")),
      );
    const unknown = "the artifact has no provenance: no flow has reported it";
    expect(reasons(head)).toEqual([
      [
        `policy &#39;clean&#39;: ${unknown}: new, new`,
        "policy &#39;clean&#39;: the artifact is non-compliant: known",
        "policy &#39;clean&#39;: the attestation &#39;scan&#39; of type snyk is missing: known",
      ],
    ]);
    expect(reasons(body)).toHaveLength(3);
    expect(reasons(body)).toContainEqual([
      "policy &#39;clean&#39;: the artifact is non-compliant in untidy",
      "policy &#39;clean&#39;: the attestation &#39;scan&#39; of type snyk is missing in untidy",
    ]);
    expect(body).toContain(`<a href="/${ORG}/flows/untidy/trails/v1"><bdi>untidy</bdi></a>`);
    const words = text.replace(/<option [^>]*>/g, "");
    expect(words).not.toMatch(/non_compliant_in_trail|non compliant in trail|NON-COMPLIANT/);
  });
});

describe("the page of a snapshot", () => {
  beforeAll(async () => {
    const { environment, report, policy, flow, artifact } = pipeline(service);
    await policy("strict", POLICY);
    await environment("judged");
    await send(service, {
      method: "POST",
      path: `/environments/${ORG}/judged/policies`,
      json: { policy_names: ["strict"] },
      key: service.keys.admin,
    });
    await flow("web");
    await artifact("web", "v1", { git_commit: COMMIT });
    await report("judged", [pod("web:1", FP)]);
    await report("judged", [pod("web:1", other("c"))]);
  });

  it("shows rule by rule what is satisfied, and why not", async () => {
    const { text } = await page("/environments/judged/snapshots/1");
    const rules = [
      ...text.matchAll(/<li><span class="verdict \w+"><svg.*?<\/svg>([A-Za-z ]+)<\/span> (.*?)<\/li>/g),
    ].map(([, word, rest = ""]) => `${word}: ${rest.replaceAll(/<[^>]+>/g, "")}`);
    expect(rules).toEqual([
      "Satisfied: provenance",
      "Not required: trail compliance",
      "Not satisfied: attestation scan of type snyk: missing attestation in flow web, trail v1",
    ]);
  });

  it("is cached by browsers only by number, once another follows it", async () => {
    const cached = async (path: string) => (await page(path)).headers["cache-control"];
    expect(await cached("/environments/judged/snapshots/1")).toBe("private, max-age=31536000, immutable");
    expect(await cached("/environments/judged/snapshots/2")).toBe("private, no-cache");
    const named = async (expression: string) => {
      const { status, headers } = await page(
        `/environments/judged/snapshots/${encodeURIComponent(expression)}`,
      );
      return { status, location: headers["location"], keeping: headers["cache-control"] };
    };
    for (const [expression, index] of [
      ["-1", 2],
      ["~1", 1],
      ["@{now}", 2],
    ]) {
      expect(await named(String(expression))).toEqual({
        status: 303,
        location: `/${ORG}/environments/judged/snapshots/${index}`,
        keeping: "no-store",
      });
    }
  });

  it("loads its files also under the names of other releases, and lets browsers cache only its own", async () => {
    const [, own = ""] = /href="(\/assets\/page\.\w+\.css)"/.exec((await page("/flows")).text) ?? [];
    const kept = await reader.get(own);
    const old = await reader.get("/assets/page.0123456789abcdef.css");
    expect(kept.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(old.headers["cache-control"]).toBe("no-cache");
    expect(old.text).toBe(kept.text);
    expect((await reader.get("/assets/other.0123456789abcdef.css")).status).toBe(404);
  });
});
