import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { readParts } from "../api/multipart-reader.ts";
import { contentService, expectFailure, expectSuccess, requestsOf, runSample, sampleOf } from "./samples.ts";
import { annotations, type StepCall } from "./step.ts";

/** Where data of any shape goes in, and how the JSON that was sent is found. */
const WITH_USER_DATA = ["attest", "begin-trail"];
const DIGEST = "ab".repeat(32);

/** Runs an action; gives the JSON it sent, as text. */
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

describe.each(WITH_USER_DATA)("user-data of %s is refused before any request:", (action) => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const refusals: [title: string, given: string | Buffer, said: string][] = [
    ["a number", "42", "'42' does not exist; it should be JSON that starts with { or ["],
    ["a text in quotes", '"text"', "does not exist; it should be JSON"],
    ["a path that is not there", "data.jsn", "'data.jsn' does not exist"],
    ["NaN", '{"a": NaN}', "line 1, column 7: the JSON has 'NaN' where a value should be"],
    [
      "a comma too many",
      '{\n  "a": 1,\n}',
      "line 3, column 1: the JSON has '}' where a name in double quotes should be",
    ],
    ["an end too early", '[{"a": "b', "line 1, column 10: the JSON ends inside a string"],
    ["a name given twice", '{"a": 1, "a": 2}', 'line 1, column 10: the JSON has the name "a" twice'],
    ["a byte order mark", '\ufeff{"a": 1}', "line 1, column 1: the JSON starts with a byte order mark"],
    [
      "a nesting of 10,000 levels",
      nested(10_000),
      "line 1, column 501: the JSON is nested deeper than 500 levels",
    ],
    [
      "a line break in a string",
      '{"a": "b\nc"}',
      "line 1, column 9: the JSON has a line break or other control character in a string",
    ],
  ];

  test.each(refusals)("%s", async (_, given, said) => {
    const { sample, step, requests } = await send(action, { inputs: { "user-data": String(given) } });
    expectFailure(sample, step, "user-data: ", said);
    expect(requests).toEqual([]);
  });

  const files: [title: string, content: string | Buffer, said: string][] = [
    ["not JSON", '{"a": undefined}', "'d.json', line 1, column 7: the JSON has 'undefined'"],
    ["a single value", "42", "'d.json' must hold a JSON object or array, not a single value"],
    [
      "with a byte order mark",
      '\ufeff{"a": 1}',
      "'d.json', line 1, column 1: the JSON starts with a byte order mark",
    ],
    ["in another encoding", Buffer.from('{"a": "é"}', "latin1"), "'d.json' is not UTF-8 text"],
    [
      "of more than 4 MB",
      `["${"x".repeat(4 * 1024 * 1024)}"]`,
      "'d.json' has 4194308 bytes; the limit is 4194304",
    ],
    ["of nothing", "", "'d.json', line 1, column 1: the JSON ends too early"],
  ];

  test.each(files)("a file %s", async (_, content, said) => {
    const { sample, step, requests } = await send(action, {
      inputs: { "user-data": "d.json" },
      files: { "d.json": content },
    });
    expectFailure(sample, step, "user-data: ", said);
    expect(requests).toEqual([]);
  });

  const paths: [title: string, path: string, said: string, prepare: (at: string) => void][] = [
    ["a FIFO", "pipe", "'pipe' is a FIFO", (at) => void execFileSync("mkfifo", [join(at, "pipe")])],
    ["a directory", ".", "is a directory, not a JSON file", () => {}],
    [
      "a link out of the workspace",
      "l",
      "'l' is outside the workspace",
      (at) => symlinkSync("/etc/passwd", join(at, "l")),
    ],
    ["a path above the workspace", "../event.json", "is outside the workspace", () => {}],
  ];

  test.each(paths)("%s", async (_, path, said, prepare) => {
    const { sample, step, requests } = await send(action, { inputs: { "user-data": path }, prepare });
    expectFailure(sample, step, "user-data: ", said);
    expect(requests).toEqual([]);
  });
});

test.each(WITH_USER_DATA)(
  "user-data of %s arrives with every digit, name and sign it has",
  async (action) => {
    const given =
      '{"__proto__":{"constructor":1},"big":9007199254740993,"small":1e-400,"half":"\\ud800","":[],"\\u0000":"::error::x"}';
    const { sample, step, text } = await send(action, { inputs: { "user-data": given } });
    expectSuccess(sample, step);
    expect(text).toContain(`"user_data":${given}`);
  },
);

test("a manifest or config that is nested 10,000 levels deep is refused in words of ours", async () => {
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

  test.each(WITH_USER_DATA)(
    "600 kB are sent by %s, with a warning that says how much it is",
    async (action) => {
      const { step, requests } = await send(action, ofSize(600_000));
      expect([step.status, requests.length]).toEqual([0, 1]);
      expect(annotations(step.stdout, "warning")).toEqual([expect.stringMatching(/\b(600|0\.6)/)]);
    },
  );

  test("above 4 MB nothing is sent, and the size is told", async () => {
    const { sample, step, requests } = await send("attest", ofSize(4 * 1024 * 1024 - 20));
    expectFailure(sample, step, /is 4\.\d+ MB of JSON; the limit is 4/);
    expect(requests).toEqual([]);
  });

  test("a service with a lower limit is quoted, and asked once", async () => {
    const sample = sampleOf("attest");
    const server = await httpServer((response) =>
      json(response, 413, { message: "data_json is 0.6 MB; the limit is 0.5 MB" }),
    );
    const step = await runSample(sample, { baseUrl: server.url, ...ofSize(600_000) });
    const advice = "Send less: smaller attachments, or user-data as an attachment.";
    expectFailure(sample, step, /^data_json is 0\.6 MB; the limit is 0\.5 MB \(.*, status 413\)/, advice);
    expect(server.received).toHaveLength(1);
  });
});

describe("a fingerprint", () => {
  const ACTIONS = ["attest", "assert-artifact"];

  test.each(ACTIONS)("is taken by %s in every way it is written, as one", async (action) => {
    for (const given of [
      DIGEST,
      DIGEST.toUpperCase(),
      `sha256:${DIGEST}`,
      `SHA256:${DIGEST.toUpperCase()}`,
      `reg.example/app@sha256:${DIGEST}`,
      ` ${DIGEST} `,
    ]) {
      const { sample, step, requests, text } = await send(action, { inputs: { fingerprint: given } });
      expectSuccess(sample, step);
      expect(requests).toHaveLength(requestsOf(sample));
      expect(action === "attest" ? JSON.parse(text).artifact_fingerprint : requests[0]?.path).toContain(
        DIGEST,
      );
      expect(step.outputs["fingerprint"] ?? DIGEST).toBe(DIGEST);
    }
  });

  test.each(ACTIONS)("that is none is refused by %s before any request", async (action) => {
    for (const given of [
      "abcd",
      `${DIGEST}a`,
      DIGEST.slice(1),
      `${DIGEST.slice(1)}g`,
      `sha512:${DIGEST}${DIGEST}`,
      `${DIGEST} ${DIGEST}`,
      "../../flows",
    ]) {
      const { sample, step, requests } = await send(action, { inputs: { fingerprint: given } });
      expectFailure(sample, step, "fingerprint: must be a sha256 of 64 hex digits");
      expect(requests).toEqual([]);
    }
  });

  test.each(ACTIONS)("is never made by %s of what is no file", async (action) => {
    const rows: [string, string, string][] = [
      ["absent", "file", "'absent' does not exist"],
      [".", "file", "'.' is a directory, not a file"],
      ["pipe", "file", "'pipe' is a FIFO, not a file"],
      ["/dev/zero", "file", "'/dev/zero' is a character device"],
      ["report.txt", "dir", "'report.txt' is a regular file, not a directory"],
      ["folder", "dir", "is a FIFO and has no content to fingerprint"],
    ];
    for (const [artifact, type, said] of rows) {
      const { sample, step, requests } = await send(action, {
        inputs: { fingerprint: "", artifact, "artifact-type": type },
        files: { "report.txt": "", "folder/file": "" },
        prepare: (at) => void execFileSync("mkfifo", [join(at, "pipe"), join(at, "folder/pipe")]),
      });
      expectFailure(sample, step, "artifact: ", said.replace("a regular file", "a file"));
      expect(requests).toEqual([]);
      expect(step.seconds).toBeLessThan(10);
    }
  });
});

describe("a file of pods is refused before any request:", () => {
  const pod = {
    metadata: { name: "a", namespace: "b", creationTimestamp: "2026-11-20T09:30:00Z" },
    status: { phase: "Running" },
  };
  const refusals: [title: string, content: string | Buffer, said: string][] = [
    ["cut off", JSON.stringify({ kind: "PodList", items: [pod] }).slice(0, -3), "found the end of the file"],
    ["not JSON", "NAME READY STATUS", "expected"],
    ["a list of something else", JSON.stringify({ kind: "NodeList", items: [] }), "found NodeList"],
    [
      "one page of a longer list",
      JSON.stringify({ kind: "PodList", metadata: { continue: "t" }, items: [pod] }),
      "metadata.continue is set",
    ],
    ["in UTF-16", Buffer.from("\ufeff{}", "utf16le"), "found UTF-16"],
    ["empty", "", "found an empty file"],
  ];

  test.each(refusals)("%s", async (_, content, said) => {
    const { sample, step, requests } = await send("report-env", { files: { "pods.json": content } });
    expectFailure(sample, step, "pods-file: 'pods.json'", said);
    expect(requests).toEqual([]);
  });

  test("a FIFO, which nobody waits for", async () => {
    const { sample, step, requests } = await send("report-env", {
      inputs: { "pods-file": "pipe" },
      prepare: (at) => void execFileSync("mkfifo", [join(at, "pipe")]),
    });
    expectFailure(sample, step, "pods-file: 'pipe' is not a regular file");
    expect(requests).toEqual([]);
  });

  test("what is nested 100,000 levels deep, if it is in a pod, harms nobody", async () => {
    const deep = `{"kind":"PodList","items":[{"x":${"[".repeat(100_000)}${"]".repeat(100_000)},${JSON.stringify(pod).slice(1)}]}`;
    const { sample, step, text } = await send("report-env", {
      prepare: (at) => writeFileSync(join(at, "pods.json"), deep),
    });
    expectSuccess(sample, step);
    expect(JSON.parse(text).artifacts).toHaveLength(1);
  });
});
