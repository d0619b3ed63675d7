import { describe, expect, test } from "vitest";
import { manifest, registry } from "../evidence/oci/registry-server.ts";
import { API_KEY, runBundle, runHere, SHA } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { commandNames, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };
const GENERIC = { flow: "web", name: "unit-test", compliant: "true" };

describe("the attest bundle", () => {
  test("records a generic attestation with its files, the commit and the repository", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runBundle("attest", {
      server,
      inputs: {
        ...GENERIC,
        attachments: "reports/*.xml\nnotes.txt # what happened",
        "user-data": '{"runs": 12345678901234567890}',
        "external-urls": "report=https://example.com/r?a=1#x",
        annotations: "tool=vitest",
        description: "Tests of the shop",
      },
      files: { "reports/a.xml": "<a/>\n", "reports/b.xml": "<b/>\n", "notes.txt": "line one\nline two\n" },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(0);
  });

  test("reports an artifact by its own fingerprint", async () => {
    await using server = await recordingServer([{ status: 201, body: { message: "OK" } }]);
    const run = await runHere("attest", {
      server,
      inputs: { flow: "web", kind: "artifact", name: "app", artifact: "build/app.tgz" },
      files: { "build/app.tgz": "abc" },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs["fingerprint"]).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  test("names an image as environments do, and never by the last part of its name", async () => {
    const images = await registry((response) => manifest(response));
    const image = `127.0.0.1:${images.port}/acme/web:1.2`;
    const digest = "ab".repeat(32);
    for (const [inputs, filename] of [
      [{ artifact: `http://${image}`, "artifact-type": "oci" }, image],
      [{ fingerprint: `ghcr.io/acme/web:1.2@sha256:${digest}` }, "ghcr.io/acme/web:1.2"],
      [{ fingerprint: digest }, "app"],
    ] as const) {
      await using server = await recordingServer([{ status: 201, body: { message: "OK" } }]);
      const run = await runHere("attest", {
        server,
        inputs: { flow: "web", kind: "artifact", name: "app", ...inputs },
      });
      expect(run.status).toBe(0);
      expect(sent(server.requests[0]).data["filename"]).toBe(filename);
    }
  });

  test("binds an attestation to an artifact of the template", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", {
      server,
      inputs: { ...GENERIC, name: "app.unit-test", compliant: "failure" },
    });
    expect(run.outputs["compliant"]).toBe("false");
    const body = JSON.parse(/\{.*\}/.exec(server.requests[0] ?? "")?.[0] ?? "");
    expect(body).toMatchObject({
      attestation_name: "unit-test",
      target_artifacts: ["app"],
      is_compliant: false,
    });
  });

  test("lists every invalid input at once and sends nothing", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", {
      server,
      inputs: {
        name: "a.b.c",
        compliant: "maybe",
        timeout: "soon",
        fingerprint: "x",
        artifact: "y",
        "api-key": "",
      },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(1);
    expect(server.requests).toEqual([]);
  });

  test("shows the service's message for a rejected key, after one attempt", async () => {
    await using server = await recordingServer([
      { status: 401, body: { message: "Unauthorized: the API key has expired" } },
    ]);
    const run = await runHere("attest", { server, inputs: GENERIC });
    expect(run.snapshot).toMatchSnapshot();
    expect(server.requests).toHaveLength(1);
  });

  test("shows one field error per line", async () => {
    const body = {
      message: "Input payload validation failed",
      errors: { origin_url: "bad", attestation_name: "worse" },
    };
    await using server = await recordingServer([{ status: 400, body }]);
    const run = await runHere("attest", { server, inputs: GENERIC });
    expect(run.snapshot).toMatchSnapshot();
  });

  test("neutralizes hostile responses", async () => {
    const message = `\n::add-mask::a\n##[set-output name=x]y\n\u001b[31mred ${API_KEY}`;
    await using server = await recordingServer([{ status: 404, body: { message } }]);
    const run = await runHere("attest", { server, inputs: GENERIC });
    expect(run.snapshot).toMatchSnapshot();
    expect(commandNames(run.stdout)).toEqual(["error"]);
  });

  test("shows what it would send in a dry run, and sends nothing", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", { server, inputs: { ...GENERIC, "dry-run": "true" } });
    expect(run.snapshot).toMatchSnapshot();
    expect(server.requests).toEqual([]);
    expect(run.outputs["status"]).toBe("dry-run");
  });

  test("continues without evidence when the service is down and on-unavailable is warn", async () => {
    await using server = await recordingServer([{ status: 503, body: { message: "closed for repairs" } }]);
    const inputs = { ...GENERIC, retries: "1", "on-unavailable": "warn" };
    const run = await runHere("attest", { server, inputs });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(0);
    expect(server.requests).toHaveLength(2);
  });

  test("fails with on-unavailable: warn when the service rejects the request", async () => {
    await using server = await recordingServer([{ status: 403, body: { message: "no" } }]);
    const run = await runHere("attest", { server, inputs: { ...GENERIC, "on-unavailable": "warn" } });
    expect(run.status).toBe(1);
    expect(run.outputs).toMatchObject({ status: "", trail: "" });
  });

  test("rejects a file over the limit before any request", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", {
      server,
      inputs: { ...GENERIC, attachments: "big.bin" },
      files: { "big.bin": "x".repeat(10 * 1024 * 1024 + 1) },
    });
    expect(run.stdout).toContain("attachment 'big.bin' is");
    expect(server.requests).toEqual([]);
  });

  test("sends every byte of a file at the limit", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", {
      server,
      inputs: { ...GENERIC, attachments: "big.txt" },
      files: { "big.txt": "0123456789\r\n\n".repeat(1024 * 1024).slice(0, 10 * 1024 * 1024) },
    });
    expect(run.status).toBe(0);
    // Recorded requests have normalized line breaks, so the count is of the original ones.
    expect(server.requests[0]?.length).toBeGreaterThan(9 * 1024 * 1024);
  });

  test("packs a folder into one archive with archive-attachments", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", {
      server,
      inputs: { ...GENERIC, attachments: "reports", "archive-attachments": "true" },
      files: { "reports/a.xml": "<a/>", "reports/deep/b.xml": "<b/>" },
    });
    expect(run.status).toBe(0);
    expect(server.requests[0]).toContain('name="attachment_file"; filename="evidence.tgz"');
  });

  test("never prints the key nor the authorization made of it, whatever the runner debugs", async () => {
    await using server = await recordingServer([
      {
        status: 500,
        body: {
          message: `never prints the key or its basic authorization, even under the runner's debug logging`,
        },
      },
    ]);
    const run = await runHere("attest", {
      server,
      inputs: { ...GENERIC, "auth-scheme": "basic", retries: "0" },
      env: { ACTIONS_STEP_DEBUG: "true", RUNNER_DEBUG: "1" },
    });
    const basic = Buffer.from(`${API_KEY}:`).toString("base64");
    expect(server.requests[0]).toContain(`authorization: Basic ${basic}`);
    const printed = run.stdout.split("\n").filter((line) => !line.startsWith("::add-mask::"));
    expect(run.stdout).toContain(`::add-mask::${API_KEY}\n::add-mask::${basic}\n`);
    expect(printed.join("\n")).not.toContain(basic);
  });

  test("takes the trail from the commit of the event", async () => {
    await using server = await recordingServer([RECORDED]);
    const run = await runHere("attest", { server, inputs: GENERIC });
    expect(run.outputs["trail"]).toBe(SHA);
    expect(server.requests[0]).toContain(`POST /api/v2/attestations/acme/web/trail/${SHA}/generic`);
  });
});
