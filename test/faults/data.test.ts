import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIGEST } from "../actions/verdict.ts";
import { httpServer, json } from "../api/local-server.ts";
import { readParts } from "../api/multipart-reader.ts";
import { contentService, expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";
import { annotations, type StepCall } from "./step.ts";

/** Inputs that accept data of any shape, each with the way to find the JSON that was sent. */
const WITH_USER_DATA = ["attest", "begin-trail"];

/** Runs an action and returns the JSON it sent, as text. */
async function send(action: string, call: Partial<StepCall>) {
  const sample = sampleOf(action);
  const server = await contentService(sample);
  const step = await runSample(sample, { ...call, baseUrl: server.url });
  const [request] = server.received;
  if (!request) return { sample, step, requests: server.received, text: "" };
  const type = request.headers["content-type"] ?? "";
  const [first] = type.startsWith("multipart/")
    ? await readParts(type, request.body)
    : [{ bytes: request.body }];
  return { sample, step, requests: server.received, text: String(first?.bytes) };
}

describe("user-data is rejected before any request:", () => {
  const refusals: [action: string, title: string, call: Partial<StepCall>, expected: string][] = [
    [
      "attest",
      "text that is not JSON, with the position",
      { inputs: { "user-data": '{\n  "a": NaN\n}' } },
      "line 2, column 8: the JSON has 'NaN' where a value should be",
    ],
    [
      "begin-trail",
      "a nesting of 10,000 levels",
      { inputs: { "user-data": "[".repeat(10_000) + "]".repeat(10_000) } },
      "line 1, column 501: the JSON is nested deeper than 500 levels",
    ],
    [
      "attest",
      "a file in another encoding",
      { inputs: { "user-data": "d.json" }, files: { "d.json": Buffer.from('{"a": "é"}', "latin1") } },
      "'d.json' is not UTF-8 text",
    ],
    [
      "attest",
      "a FIFO without a reader",
      { inputs: { "user-data": "pipe" }, prepare: (at) => void execFileSync("mkfifo", [join(at, "pipe")]) },
      "'pipe' is a FIFO",
    ],
    [
      "begin-trail",
      "a link out of the workspace",
      { inputs: { "user-data": "l" }, prepare: (at) => symlinkSync("/etc/passwd", join(at, "l")) },
      "'l' is outside the workspace",
    ],
  ];

  test.each(refusals)("in %s: %s", async (action, _, call, expected) => {
    const { sample, step, requests } = await send(action, call);
    expectFailure(sample, step, "user-data: ", expected);
    expect(requests).toEqual([]);
  });
});

test.each(WITH_USER_DATA)(
  "user-data of %s arrives with its exact digits, names and signs",
  async (action) => {
    const given =
      '{"__proto__":{"constructor":1},"big":9007199254740993,"small":1e-400,"half":"\\ud800","":[],"\\u0000":"::error::x"}';
    const { sample, step, text } = await send(action, { inputs: { "user-data": given } });
    expectSuccess(sample, step);
    expect(text).toContain(`"user_data":${given}`);
  },
);

test("a manifest or config nested 10,000 levels deep is rejected with our own message", async () => {
  const deep = `- ${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  for (const [action, input, cleared] of [
    ["attest", "manifest", { name: "", compliant: "", attachments: "" }],
    ["report-env", "config", { environment: "", "pods-file": "" }],
  ] as const) {
    const { sample, step, requests } = await send(action, {
      inputs: { ...cleared, [input]: "list.yml" },
      files: { "list.yml": deep },
    });
    expectFailure(sample, step, `${input}: 'list.yml', line 1, column`, "is nested too deeply");
    expect(requests).toEqual([]);
  }
});

describe("the size of data_json:", () => {
  const ofSize = (size: number) => ({
    inputs: { "user-data": "d.json" },
    files: { "d.json": JSON.stringify({ a: "x".repeat(size) }) },
  });

  test("600 kB are sent, with a warning that shows the size", async () => {
    const { step, requests } = await send("attest", ofSize(600_000));
    expect([step.status, requests.length]).toEqual([0, 1]);
    expect(annotations(step.stdout, "warning")).toEqual([expect.stringMatching(/\b(600|0\.6)/)]);
  });

  test("above 4 MB nothing is sent, and the size is reported", async () => {
    const { sample, step, requests } = await send("attest", ofSize(4 * 1024 * 1024 - 20));
    expectFailure(sample, step, /is 4\.\d+ MB of JSON; the limit is 4/);
    expect(requests).toEqual([]);
  });

  test("a service with a lower limit gets one request, and its message is quoted", async () => {
    const sample = sampleOf("attest");
    const server = await httpServer((response) =>
      json(response, 413, { message: "data_json is 0.6 MB; the limit is 0.5 MB" }),
    );
    const step = await runSample(sample, { baseUrl: server.url, ...ofSize(600_000) });
    const advice = "Send less: use smaller attachments, or attach user-data as a file.";
    expectFailure(sample, step, /^data_json is 0\.6 MB; the limit is 0\.5 MB \(.*, status 413\)/, advice);
    expect(server.received).toHaveLength(1);
  });
});

describe.each(["attest", "assert-artifact"])("the fingerprint of %s", (action) => {
  test("is normalized from any spelling", async () => {
    const given = ` SHA256:${DIGEST.toUpperCase()} `;
    const { sample, step, requests, text } = await send(action, { inputs: { fingerprint: given } });
    expectSuccess(sample, step);
    expect(requests).toHaveLength(1);
    expect(action === "attest" ? JSON.parse(text).artifact_fingerprint : requests[0]?.path).toContain(DIGEST);
    expect(step.outputs["fingerprint"] ?? DIGEST).toBe(DIGEST);
  });

  test("is rejected before any request when it is invalid", async () => {
    const { sample, step, requests } = await send(action, { inputs: { fingerprint: `${DIGEST}a` } });
    expectFailure(sample, step, "fingerprint: must be a sha256 of 64 hex digits");
    expect(requests).toEqual([]);
  });

  test("is never computed for something other than a file, which is not opened either", async () => {
    const { sample, step, requests } = await send(action, {
      inputs: { fingerprint: "", artifact: "folder", "artifact-type": "dir" },
      files: { "folder/file": "" },
      prepare: (at) => void execFileSync("mkfifo", [join(at, "folder/pipe")]),
    });
    expectFailure(sample, step, "artifact: ", "is a FIFO and has no content to fingerprint");
    expect(requests).toEqual([]);
  });
});

describe("a pods file is rejected before any request:", () => {
  test.each<[string, string | Buffer, string]>([
    ["cut off", '{"kind":"PodList","items":[{"metadata":', "found the end of the file"],
    [
      "one page of a longer list",
      JSON.stringify({ kind: "PodList", metadata: { continue: "t" }, items: [] }),
      "metadata.continue is set",
    ],
  ])("%s", async (_, content, expected) => {
    const { sample, step, requests } = await send("report-env", { files: { "pods.json": content } });
    expectFailure(sample, step, "pods-file: 'pods.json'", expected);
    expect(requests).toEqual([]);
  });

  test("a FIFO without a writer", async () => {
    const { sample, step, requests } = await send("report-env", {
      inputs: { "pods-file": "pipe" },
      prepare: (at) => void execFileSync("mkfifo", [join(at, "pipe")]),
    });
    expectFailure(sample, step, "pods-file: 'pipe' is not a regular file");
    expect(requests).toEqual([]);
  });
});
