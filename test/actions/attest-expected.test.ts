import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { runBundle, runHere, SHA } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn } from "./sent-attestations.ts";
import { DIGEST } from "./verdict.ts";

const TRAIL = {
  name: SHA,
  last_modified_at: 1,
  created_at: 1,
  compliance_status: {
    status: "INCOMPLETE",
    attestations_statuses: [],
    artifacts_statuses: {
      app: {
        artifact_fingerprint: DIGEST,
        status: "INCOMPLETE",
        attestations_statuses: [
          { attestation_name: "scan", attestation_type: "generic", status: "MISSING" },
          { attestation_name: "sign", attestation_type: "generic", status: "COMPLETE" },
        ],
      },
    },
  },
  template: {
    version: 1,
    trail: {
      attestations: [{ name: "review", type: "generic" }],
      artifacts: [
        {
          name: "app",
          attestations: ["scan", "sign"]
            .map((name) => ({ name, type: "generic" }))
            .concat({ name: "unit-test", type: "junit" }),
        },
      ],
    },
  },
  compliance_state: "INCOMPLETE",
  is_compliant: false,
  created_by: "ci",
  flow: { name: "web" },
  html_url: "https://evidence.example/t",
};

/** A service whose responses do not include the template. */
async function otherService(trail: { status: number; body: unknown } = { status: 200, body: TRAIL }) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests.push(`${request.method} ${request.url}`);
      const { status, body } = request.method === "GET" ? trail : { status: 201, body: "OK" };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const GENERIC = { flow: "web", name: "reviews", compliant: "true" };
const GET_TRAIL = `GET /api/v2/trails/acme/web/${SHA}`;
const getsOf = (requests: readonly string[]) => requests.filter((request) => request.startsWith("GET"));

describe("a service that reports the template's requirements", () => {
  test("gets no extra request when there is no summary", async () => {
    const headers = { "x-template-match": "result=unmet&attestation=review&type=pull_request" };
    await using server = await recordingServer([{ status: 201, body: "OK", headers }]);
    const run = await runBundle("attest", { server, inputs: { ...GENERIC, summary: "false" } });
    expect(server.requests).toHaveLength(1);
    expect(run).toMatchObject({ status: 0, outputs: { expected: "false" } });
    expect(annotationsIn(run.stdout, "warning")).toEqual([
      expect.stringContaining("'review' of type pull_request: use `name: review` and `kind: pull_request`"),
    ]);
  });

  const UNMET = "result=unmet&attestation=review&type=pull_request";

  test.each([
    ["true", "result=met", "result=met"],
    ["", "result=met", "result=nothing-asked"],
    ["false", UNMET, "result=nothing-asked"],
    ["false", UNMET, "result=met"],
  ])("lists %j for a manifest when its responses are %s and %s", async (expected, ...matches) => {
    const answers = matches.map((match) => ({
      status: 201,
      body: "OK",
      headers: { "x-template-match": match },
    }));
    await using server = await recordingServer(answers);
    const run = await runHere("attest", {
      server,
      inputs: { flow: "web", manifest: "m.yml" },
      files: { "m.yml": "- {name: review, compliant: true}\n- {name: lint, compliant: true}\n" },
    });
    expect(run).toMatchObject({ status: 0, outputs: { expected } });
  });

  test("lists no known requirements for a manifest when an entry was not recorded", async () => {
    const headers = { "x-template-match": "result=met" };
    const down = { status: 503, body: { message: "not now" } };
    await using server = await recordingServer([{ status: 201, body: "OK", headers }, down]);
    const run = await runHere("attest", {
      server,
      inputs: { flow: "web", manifest: "m.yml", retries: "0", "on-unavailable": "warn" },
      files: { "m.yml": "- {name: review, compliant: true}\n- {name: lint, compliant: true}\n" },
    });
    expect(run).toMatchObject({ status: 0, outputs: { status: "skipped", expected: "" } });
  });
});

describe("a service that omits them", () => {
  test("gets one trail request for an attestation", async () => {
    const { url, requests } = await otherService();
    const run = await runHere("attest", { inputs: { ...GENERIC, "base-url": url } });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded", expected: "false" } });
    expect(requests.at(-1)).toBe(GET_TRAIL);
    expect(getsOf(requests)).toEqual([GET_TRAIL]);
    expect(annotationsIn(run.stdout, "warning")).toEqual([expect.stringContaining("use `name: review`")]);
  });

  test("gets one trail request for a manifest, after all entries are recorded", async () => {
    const entries: [entry: Record<string, unknown>, expected: string, change?: string][] = [
      [{ name: "reviews", compliant: true }, "false", "use `name: review`"],
      [{ name: "review", compliant: true }, "true"],
      // Matched by fingerprint, wrong type.
      [{ name: "unit-test", compliant: true, fingerprint: DIGEST }, "false", "use `kind: test`"],
      // Matched by name: one counted, one still missing.
      [{ name: "app.sign", compliant: true }, "true"],
      [
        { name: "app.scan", compliant: true },
        "false",
        "has the artifact 'app' only at other commits: set `fingerprint`",
      ],
      // An override has the type of the overridden attestation.
      [
        {
          kind: "override",
          name: "review",
          compliant: true,
          data: { reason: "seen", original_attestation_type: "generic" },
        },
        "true",
      ],
      [{ kind: "artifact", name: "ap", fingerprint: DIGEST }, "false", "use `name: app`"],
    ];
    const { url, requests } = await otherService();
    const run = await runHere("attest", {
      inputs: { flow: "web", manifest: "m.yml", "base-url": url },
      files: { "m.yml": JSON.stringify(entries.map(([entry]) => entry)) },
    });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded", expected: "false" } });
    const results: { name: string; expected: string }[] = JSON.parse(run.outputs["results"] ?? "[]");
    expect(results.map(({ name, expected }) => [name, expected])).toEqual(
      entries.map(([{ name }, expected]) => [name, expected]),
    );
    const [warning, ...others] = annotationsIn(run.stdout, "warning");
    expect(others).toEqual([]);
    expect(warning).toContain("::4 records match no slot of the template:");
    for (const [, , change] of entries) if (change !== undefined) expect(warning).toContain(change);
    expect(getsOf(requests)).toEqual([GET_TRAIL]);
    expect(requests.at(-1)).toBe(GET_TRAIL);
  });

  test("gets no trail request with check-template: false", async () => {
    const { url, requests } = await otherService();
    const run = await runHere("attest", {
      inputs: { ...GENERIC, "base-url": url, "check-template": "false" },
    });
    expect(run).toMatchObject({ status: 0, outputs: { expected: "" } });
    expect(getsOf(requests)).toEqual([]);
  });

  test.each([
    ["refuses to show the trail", { status: 403, body: { message: "no" } }],
    ["returns something else", { status: 200, body: "OK" }],
    [
      "returns a template of another shape",
      { status: 200, body: { ...TRAIL, template: { trail: { artifacts: {} } } } },
    ],
  ])("does not fail the step when it %s", async (_, trail) => {
    const { url } = await otherService(trail);
    const run = await runHere("attest", { inputs: { ...GENERIC, "base-url": url } });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded", expected: "" } });
    expect(annotationsIn(run.stdout, "warning")).toEqual([]);
  });
});
