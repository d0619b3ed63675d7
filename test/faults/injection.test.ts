import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { API_KEY, PUSH, SHA } from "../actions/bundle-run.ts";
import { httpServer, json } from "../api/local-server.ts";
import { COMMANDS, expectInert, HOSTILE, HOSTILE_LINE, MARKUP } from "./inert.ts";
import { withoutMasks } from "./left-behind.ts";
import {
  contentService,
  each,
  evaluationWith,
  expectFailure,
  expectSuccess,
  runSample,
  SAMPLES,
  sampleOf,
} from "./samples.ts";

const attest = sampleOf("attest");

describe("text from the service executes no command:", () => {
  test("a megabyte of an error with its fields, which is truncated, after which masks still work", async () => {
    const message = `${HOSTILE}\n${API_KEY}\n${"::error::injected\n".repeat(60_000)}`;
    const body = { message, errors: { [HOSTILE]: HOSTILE } };
    const server = await httpServer((response) => json(response, 422, body));
    const step = await runSample(attest, { baseUrl: server.url });
    expectFailure(attest, step, "injected");
    expectInert(step);
    expect(step.stdout.length).toBeLessThan(20_000);
    expect(withoutMasks(step.stdout)).not.toContain(API_KEY);
  });

  test("a gateway's page, a request id and the address of a redirect", async () => {
    const headers = { "content-type": "text/html", "x-request-id": "::error::injected" };
    const page = await httpServer((response) => response.writeHead(502, headers).end(`<html>${HOSTILE}`));
    const inputs = { retries: "0" };
    expectInert(await runSample(attest, { baseUrl: page.url, inputs, env: { RUNNER_DEBUG: "1" } }));
    const location = "https://evil.example/##[group]injected";
    const redirect = await httpServer((response) => response.writeHead(302, { location }).end());
    expectInert(await runSample(attest, { baseUrl: redirect.url, inputs }));
  });

  test("a success, in every action", () =>
    each(SAMPLES, async (sample) => {
      const server = await httpServer((response, { path }) => {
        json(response, 200, hostile(sample.answer(path)), { "x-request-id": "::error::injected" });
      });
      const step = await runSample(sample, { baseUrl: server.url, env: { RUNNER_DEBUG: "1" } });
      expectInert(step);
      expect(Object.keys(step.outputs).length).toBeGreaterThan(0);
      if (sample.name === "report-env") expect(step.outputs["message"]).toBe(HOSTILE);
    }));

  test("a policy's violations, and the error of an evaluation", async () => {
    const sample = sampleOf("evaluate");
    const denied = evaluationWith({ allow: false, violations: [HOSTILE] });
    const error = { kind: "policy", message: `policy.rego:3: ${HOSTILE}` };
    for (const answer of [denied, { ...denied, status: "failed", result: null, error }]) {
      const server = await httpServer((response) => json(response, 201, answer));
      const step = await runSample(sample, { baseUrl: server.url });
      expect(step).toMatchObject({ status: 1, stderr: "", outputs: { allow: "false" } });
      expect(step.stdout).toContain("injected");
      expectInert(step);
    }
  });

  test("a gate's reasons", async () => {
    const sample = sampleOf("assert-artifact");
    const status = {
      status: HOSTILE,
      is_compliant: false,
      attestations_statuses: [
        {
          attestation_name: HOSTILE,
          attestation_type: HOSTILE,
          status: "MISSING",
          is_compliant: null,
          unexpected: false,
        },
      ],
    };
    const flows = [
      {
        flow: HOSTILE,
        trail: HOSTILE,
        compliant: false,
        compliance_status: status,
        html_url: "javascript:x",
      },
    ];
    const verdict = Object.assign({}, sample.answer(""), {
      compliant: false,
      flows,
      compliance_status: status,
      html_url: `javascript:alert(1)//${HOSTILE}`,
    });
    const server = await httpServer((response) => json(response, 200, verdict));
    const step = await runSample(sample, { baseUrl: server.url });
    expectFailure(sample, step, "injected");
    expectInert(step);
    expect(JSON.parse(step.outputs["failures"] ?? "")[0]).toMatchObject({ attestation: HOSTILE });
  });
});

/** Replaces every text of a response, except those that a schema enumerates. */
function hostile(value: unknown): unknown {
  if (typeof value === "string")
    return /^(flow|completed|[0-9a-f]{40,64}|COMPLIANT)$/.test(value) ? value : HOSTILE;
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hostile(inner)]));
}

test("branch, commit, author and repository of the event are data", () =>
  each([attest, sampleOf("begin-trail")], async (sample) => {
    const server = await contentService(sample);
    const event = {
      ref: `refs/heads/${HOSTILE_LINE}`,
      repository: { ...PUSH.repository, description: HOSTILE },
      head_commit: {
        ...PUSH.head_commit,
        message: HOSTILE,
        author: { name: HOSTILE, email: HOSTILE, username: HOSTILE },
      },
    };
    const env = {
      // The service limits a branch name to this length, and GitHub to less than half of it.
      GITHUB_REF: `refs/heads/${HOSTILE.slice(0, 512)}`,
      GITHUB_HEAD_REF: HOSTILE.slice(0, 512),
      GITHUB_ACTOR: HOSTILE,
      GITHUB_WORKFLOW: HOSTILE,
      RUNNER_DEBUG: "1",
    };
    const given = { baseUrl: server.url, event, env };
    const step = await runSample(sample, given);
    expectSuccess(sample, step);
    expectInert(step);
    expect(server.received[0]?.body.toString()).toContain("$(curl evil)");
    expectInert(await runSample(sample, { ...given, inputs: { "dry-run": "true" } }));
  }));

describe("file names execute no command", () => {
  const NAMES = [...COMMANDS, ...MARKUP].map((name) => `${name.replaceAll("/", "_")}.txt`);

  test("when they are attached", async () => {
    const sample = sampleOf("attest");
    const server = await contentService(sample);
    const files = Object.fromEntries(NAMES.map((name, index) => [`logs/${index}${name}`, `file ${index}`]));
    const step = await runSample(sample, { baseUrl: server.url, files, inputs: { attachments: "logs/*" } });
    expectSuccess(sample, step);
    expectInert(step);
    const body = server.received[0]?.body.toString() ?? "";
    // A line break in a name would start its own header.
    const headers = body.split("\r\n").filter((line) => /^content-disposition:/i.test(line));
    expect(headers).toHaveLength(NAMES.length + 1);
    const named = headers.filter((line) => /; name="attachment_file\.\d+"; filename="[^"\n]*"$/.test(line));
    expect(named).toHaveLength(NAMES.length);
  });

  test("when they do not exist, or the files are too large", async () => {
    const server = await contentService(attest);
    const absent = NAMES.map((name) => name.replace(/[\n\r]+/g, " ").trim());
    const inputs = {
      attachments: [...absent, "big*"].join("\n"),
      "test-results": absent.join("\n"),
      "user-data": `${HOSTILE_LINE}.json`,
    };
    const step = await runSample(attest, {
      baseUrl: server.url,
      inputs,
      files: Object.fromEntries(NAMES.map((name) => [`big${name}`, ""])),
      prepare: (at) => {
        for (const name of NAMES) truncateSync(join(at, `big${name}`), 10_485_761);
      },
    });
    expectFailure(attest, step, "injected");
    expectInert(step);
    expect(server.received).toEqual([]);
  });
});

describe("text from a cluster executes no command:", () => {
  const sample = sampleOf("report-env");

  test("the names of pods, namespaces and images in a file", async () => {
    const server = await contentService(sample);
    const pods = [...COMMANDS, ...MARKUP].map((name) => ({
      metadata: {
        name,
        namespace: name,
        creationTimestamp: "2026-11-20T09:30:00Z",
        annotations: { [name]: name },
      },
      spec: { containers: [{ name, image: name }] },
      status: { phase: "Running", containerStatuses: [{ name, image: name, imageID: name }] },
    }));
    const files = { "pods.json": JSON.stringify({ kind: "PodList", apiVersion: "v1", items: pods }) };
    const step = await runSample(sample, { baseUrl: server.url, files });
    expectInert(step);
    expect(step.status).toBe(0);
  });

  test("what kubectl prints, on stdout or stderr, when it fails", async () => {
    const folder = mkdtempSync(join(tmpdir(), "programs-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "said"), HOSTILE);
    writeFileSync(
      join(folder, "kubectl"),
      `#!/bin/sh\ncat "${folder}/said"\ncat "${folder}/said" >&2\nexit 1\n`,
    );
    chmodSync(join(folder, "kubectl"), 0o755);
    const server = await contentService(sample);
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    const step = await runSample(sample, { baseUrl: server.url, env, inputs: { "pods-file": "" } });
    expectFailure(sample, step);
    expectInert(step);
    expect(server.received).toEqual([]);
  });

  test("a file that does not list pods", async () => {
    const step = await runSample(sample, { files: { "pods.json": `{"kind": ${JSON.stringify(HOSTILE)}}` } });
    expectFailure(sample, step);
    expectInert(step);
  });
});

describe("inputs execute no command:", () => {
  const TEXTS: Readonly<Record<string, readonly string[]>> = {
    attest: ["flow", "trail", "description", "origin-url"],
    "begin-trail": ["flow", "trail", "description"],
    "assert-artifact": ["flow"],
    "report-env": ["environment"],
    comment: ["flow", "trail"],
    "set-flow-action": ["flows"],
    root: [],
    "running-commit": ["flow", "environment"],
    evaluate: ["params", "control", "name", "decision-trail"],
  };

  test.each(SAMPLES.map(({ name }) => name))("names and texts of %s", async (name) => {
    const sample = sampleOf(name);
    const server = await contentService(sample);
    const inputs = Object.fromEntries(["org", ...(TEXTS[name] ?? [])].map((input) => [input, HOSTILE]));
    expectInert(await runSample(sample, { baseUrl: server.url, inputs }));
  });
});

test("commits, pull requests and accounts from GitHub are data", async () => {
  const sample = sampleOf("running-commit");
  const base = "b".repeat(40);
  const commits = [...COMMANDS, ...MARKUP].map((message, index) => ({
    sha: index === 0 ? SHA : String(index % 10).repeat(40),
    html_url: `javascript:alert(1)//${message}`,
    commit: { message, author: { name: message, email: message, date: "2026-11-20T10:00:00Z" } },
    author: { login: message },
  }));
  const gitHub = await httpServer((response, { path }) => {
    if (path.includes("/compare/")) {
      return json(response, 200, { status: "ahead", ahead_by: commits.length, behind_by: 0, commits });
    }
    return json(response, 404, { message: HOSTILE });
  });
  const server = await httpServer((response, { path }) =>
    json(response, 200, path.includes("/artifact-commit/") ? { commit_sha: base } : []),
  );
  const token = "ghs_0123456789abcdef";
  const step = await runSample(sample, {
    baseUrl: server.url,
    inputs: { "github-token": token },
    env: { GITHUB_API_URL: gitHub.url },
  });
  expectSuccess(sample, step);
  expectInert(step, [token]);
  expect(step.outputs["comparison"]).toBe("ahead");
  expect(step.summary).toContain("injected");
});
