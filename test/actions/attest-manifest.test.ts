import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { gitHubServer, json, repository } from "../github/github-server.ts";
import { API_KEY, runBundle, runHere, SHA } from "./bundle-run.ts";
import { type Answer, recordingServer } from "./recording-server.ts";
import { annotationsIn, commandNames, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };

interface Asked {
  inputs?: Record<string, string>;
  files?: Record<string, string>;
  answers?: readonly Answer[];
  /** Default: no process starts. */
  by?: typeof runBundle;
}

/** Attests the entries of this manifest. */
async function attest(
  manifest: string,
  { inputs = {}, files = {}, answers = [RECORDED], by = runHere }: Asked = {},
) {
  await using server = await recordingServer(answers);
  const run = await by("attest", {
    server,
    inputs: { flow: "web", manifest: "evidence.yml", ...inputs },
    files: { "evidence.yml": manifest, ...files },
  });
  const results: unknown = JSON.parse(run.outputs["results"] || "null");
  return { ...run, results, requests: server.requests, sent: server.requests.map(sent) };
}

/** A service that chooses a response by the request, and delays each until `together` requests are pending. */
async function waitingService(together: number, answer: (request: IncomingMessage, body: string) => Answer) {
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    seen.push(request.url ?? "");
    waiting.push(() => {
      const { status, body: responseBody } = answer(request, body);
      const headers = { "content-type": "application/json", "x-template-match": "result=nothing-asked" };
      response.writeHead(status, headers).end(JSON.stringify(responseBody));
    });
    if (waiting.length >= together) for (const go of waiting.splice(0)) go();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe("a manifest of several kinds", () => {
  const MANIFEST = `
attestations:
  - name: app.unit
    kind: junit
    test-results: reports/*.xml
    artifact: app.tgz
  - name: lint
    compliant: success
    annotations: {tool: biome, version: 1.10, note: "see #12, a=b"}
    attachments: [notes.txt, "a #1.txt"]
    external-urls: {report: "https://ci.example/1?a=b#c"}
    user-data: {runs: 12345678901234567890, version: 1.10}
  - name: app
    kind: artifact
    artifact: app.tgz
`;
  const FILES = {
    "reports/a.xml":
      '<testsuite name="s"><testcase name="t" file="src/a.ts" line="3"><failure message="m"/></testcase></testsuite>',
    "app.tgz": "abc",
    "notes.txt": "n",
    "a #1.txt": "h",
    "src/a.ts": "",
  };

  test("records artifacts first, with a row and a result for each entry", async () => {
    const run = await attest(MANIFEST, { files: FILES, by: runBundle });
    expect(run.status).toBe(0);
    expect(run.sent[0]?.path).toBe("/api/v2/artifacts/acme/web");
    expect(run.results).toEqual([
      expect.objectContaining({ name: "app.unit", kind: "junit", status: "recorded", compliant: "false" }),
      expect.objectContaining({ name: "lint", kind: "generic", status: "recorded", compliant: "true" }),
      expect.objectContaining({ name: "app", kind: "artifact", status: "recorded", compliant: "" }),
    ]);
    expect(run.outputs).toMatchObject({ status: "recorded", compliant: "false", trail: SHA });
    expect(annotationsIn(run.stdout)).toEqual(["::error title=t,file=src/a.ts,line=3::m"]);
    expect(run.snapshot.split("# requests")[0]?.split("# summary")[1]).toMatchSnapshot();
    // Values are parsed as text, so that versions and comment signs stay unchanged.
    const lint = run.sent.find(({ data }) => data["attestation_name"] === "lint");
    expect(lint?.data).toMatchObject({
      annotations: { tool: "biome", version: "1.10", note: "see #12, a=b" },
      external_urls: { report: { href: "https://ci.example/1?a=b#c" } },
    });
    expect(lint?.files).toEqual(["notes.txt", "a #1.txt"]);
    const raw = run.requests.find((request) => request.includes('"lint"'));
    expect(raw).toContain('"user_data":{"runs":12345678901234567890,"version":1.10}');
  });

  test("may be JSON, and a bare list", async () => {
    const entries = [
      { name: "a", compliant: true },
      { name: "b", compliant: "failure" },
    ];
    const run = await attest(JSON.stringify(entries));
    const verdicts = run.sent.map(({ data }) => `${data["attestation_name"]} ${data["is_compliant"]}`);
    expect(verdicts.sort()).toEqual(["a true", "b false"]);
  });

  test("is shown and not sent in a dry run", async () => {
    const run = await attest(MANIFEST, { files: FILES, inputs: { "dry-run": "true" } });
    expect(run.requests).toEqual([]);
    expect(run.outputs["status"]).toBe("dry-run");
    expect(run.stdout.match(/::group::Dry run: /g)).toHaveLength(3);
    expect(run.status).toBe(0);
  });
});

test("an entry that fails does not hide the others, and the step fails once", async () => {
  const service = await waitingService(1, (_, body) =>
    body.includes('"bad"') ? { status: 400, body: { message: `no: ${API_KEY}` } } : RECORDED,
  );
  const run = await runHere("attest", {
    inputs: { flow: "web", manifest: "m.yml", "base-url": service.address },
    files: {
      "m.yml":
        "- {name: bad, compliant: true}\n- {name: good, compliant: true}\n- {name: gone, compliant: true, artifact: no}",
    },
  });
  const results: { status: string; error: string }[] = JSON.parse(run.outputs["results"] ?? "");
  expect(results.map(({ status }) => status)).toEqual(["failed", "recorded", "failed"]);
  expect(results[2]?.error).toMatch(/^artifact: 'no' does not exist\nBuild or download it /);
  expect(run.outputs).toMatchObject({ status: "failed", compliant: "false" });
  expect(run.status).toBe(1);
  const [failure, ...others] = annotationsIn(run.stdout);
  expect(failure).toMatch(
    /^::error title=2 of 3 attestations failed \(attestation\.not_recorded\)::- bad: .*400.*%0A- gone: artifact: 'no'/,
  );
  expect(others).toEqual([]);
  const summary = run.snapshot.split("# summary")[1] ?? "";
  expect(summary).toContain("| good | generic | recorded | yes |");
  // The runner would not recognize the key between Markdown escapes.
  expect(summary).toContain("no&#58; &#42;&#42;&#42;");
  expect(summary.replaceAll("&#95;", "_")).not.toContain(API_KEY);
});

test("sends independent entries in parallel and overrides last", async () => {
  const service = await waitingService(3, () => RECORDED);
  const entries = ["a", "b", "c"].flatMap((name) => [
    `- {name: ${name}, kind: override, compliant: true, data: {reason: r, original_attestation_type: generic}}`,
    `- {name: ${name}, compliant: false}`,
    `- {name: ${name}, kind: artifact, fingerprint: ${"ab".repeat(32)}}`,
  ]);
  const run = await runHere("attest", {
    inputs: { flow: "web", manifest: "m.yml", "base-url": service.address },
    files: { "m.yml": entries.join("\n") },
  });
  // Sent one after the other, each three would wait forever.
  expect(run.status).toBe(0);
  const order = service.seen.map((path) => /artifacts|generic|override/.exec(path)?.[0]);
  expect(order).toEqual([
    ...Array(3).fill("artifacts"),
    ...Array(3).fill("generic"),
    ...Array(3).fill("override"),
  ]);
});

test("one deadline covers all entries", async () => {
  const service = await waitingService(Number.POSITIVE_INFINITY, () => RECORDED);
  const entries = Array.from({ length: 12 }, (_, index) => `- {name: n${index}, compliant: true}`);
  const run = await runHere("attest", {
    inputs: { flow: "web", manifest: "m.yml", "base-url": service.address, timeout: "2", retries: "0" },
    files: { "m.yml": entries.join("\n") },
  });
  const results: { error: string }[] = JSON.parse(run.outputs["results"] ?? "");
  expect(results.filter(({ error }) => /2 s/.test(error))).toHaveLength(12);
  // Eight requests were pending at the deadline. The other four had not started.
  expect(service.seen).toHaveLength(8);
  expect(run.status).toBe(1);
});

test("applies on-unavailable to each entry", async () => {
  const manifest = "- {name: soft, compliant: true, on-unavailable: warn}\n- {name: hard, compliant: true}";
  const down = { status: 503, body: { message: "closed" } };
  const run = await attest(manifest, { answers: [down], inputs: { retries: "0" } });
  expect(run.results).toEqual([
    expect.objectContaining({ name: "soft", status: "skipped", compliant: "true", error: "" }),
    expect.objectContaining({ name: "hard", status: "failed", error: expect.stringContaining("503") }),
  ]);
  expect(annotationsIn(run.stdout, "warning")).toEqual([
    expect.stringMatching(/^::warning::soft: Nothing was recorded: .*503/),
  ]);
  expect(run.status).toBe(1);
});

describe("step inputs", () => {
  test("apply to entries that do not set them", async () => {
    const run = await attest(
      `- {name: a, compliant: true}
- {name: b, compliant: true, flow: api, trail: v2, description: own, fingerprint: sha256:${"cd".repeat(32)}}`,
      { inputs: { trail: "v1", description: "step's", annotations: "k=v", fingerprint: "ab".repeat(32) } },
    );
    const byName = Object.fromEntries(run.sent.map((each) => [each.data["attestation_name"], each]));
    expect(byName["a"]).toMatchObject({
      path: "/api/v2/attestations/acme/web/trail/v1/generic",
      data: { description: "step's", annotations: { k: "v" }, artifact_fingerprint: "ab".repeat(32) },
    });
    expect(byName["b"]).toMatchObject({
      path: "/api/v2/attestations/acme/api/trail/v2/generic",
      data: { description: "own", annotations: { k: "v" }, artifact_fingerprint: "cd".repeat(32) },
    });
    expect(run.outputs).toMatchObject({ trail: "", "trail-url": "", fingerprint: "" });
  });

  test("yield to an entry that sets the default explicitly", async () => {
    const files = {
      "s.sarif": JSON.stringify({
        version: "2.1.0",
        runs: [{ tool: { driver: { name: "T" } }, results: [{ message: { text: "m" }, level: "note" }] }],
      }),
    };
    const run = await attest(
      "- {name: strict, scan-results: s.sarif}\n- {name: usual, scan-results: s.sarif, fail-level: high}",
      { inputs: { "fail-level": "low" }, files },
    );
    expect(run.results).toEqual([
      expect.objectContaining({ name: "strict", compliant: "false" }),
      expect.objectContaining({ name: "usual", compliant: "true" }),
    ]);
  });

  test("ignores the step's subject for an entry with its own subject", async () => {
    const run = await attest("- {name: a, compliant: true, artifact: app.tgz}", {
      inputs: { artifact: "dist", "artifact-type": "dir", exclude: "*.map" },
      files: { "app.tgz": "abc", "dist/a.js": "a" },
    });
    expect(run.outputs["fingerprint"]).toMatch(/^ba7816bf/);
  });
});

test("omits compliance when it is not known for every entry", async () => {
  const custom = "- {name: c, kind: custom, type-name: t, data: {a: 1}}";
  const artifact = `- {name: app, kind: artifact, fingerprint: ${"ab".repeat(32)}}`;
  const verdicts = [
    custom,
    artifact,
    `${artifact}\n- {name: a, compliant: true}`,
    `${custom}\n- {name: a, compliant: false}`,
  ];
  const runs = await Promise.all(verdicts.map((manifest) => attest(manifest)));
  expect(runs.map(({ outputs }) => outputs["compliant"])).toEqual(["", "", "true", "false"]);
});

test("leaves room for the step's error annotation among all entries' annotations", async () => {
  const failing = Array.from(
    { length: 8 },
    (_, index) => `<testcase name="t${index}"><failure message="m"/></testcase>`,
  );
  const run = await attest(
    "- {name: a, kind: junit, test-results: a.xml}\n- {name: b, kind: junit, test-results: a.xml}\n- {name: c, kind: junit, test-results: no.xml}",
    { files: { "a.xml": `<testsuite name="s">${failing.join("")}</testsuite>` } },
  );
  const annotations = annotationsIn(run.stdout);
  expect(annotations).toHaveLength(10);
  expect(annotations.at(-1)).toContain("1 of 3 attestations failed");
  expect(run.stdout).toContain("… and 7 more failures or findings.");
});

test("reads a commit from GitHub once for many entries", async () => {
  const github = await gitHubServer(
    repository({ [`/commits/${SHA}`]: { sha: SHA, commit: { message: "m" } } }),
  );
  await using server = await recordingServer([RECORDED]);
  const entries = Array.from({ length: 9 }, (_, index) => `- {name: n${index}, compliant: true}`);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", manifest: "m.yml", "github-token": "gh-token" },
    env: { GITHUB_API_URL: github.url },
    files: { "m.yml": entries.join("\n") },
  });
  expect(run.status).toBe(0);
  expect(github.requests).toHaveLength(1);
  const messages = server.requests.map((request) => sent(request).data["git_commit_info"]);
  expect(messages).toEqual(Array(9).fill(expect.objectContaining({ message: "m" })));
});

test("warns once, without naming an entry, when GitHub omits the commit's details", async () => {
  const github = await gitHubServer(json(503, { message: "down" }));
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", manifest: "m.yml", "github-token": "gh-token" },
    env: { GITHUB_API_URL: github.url },
    files: { "m.yml": "- {name: a, compliant: true}\n- {name: b, compliant: true}" },
  });
  expect(annotationsIn(run.stdout, "warning")).toEqual([
    expect.stringMatching(/^::warning::GitHub answered 503: /),
  ]);
  expect(run.status).toBe(0);
});

describe("an invalid manifest", () => {
  test("lists every problem of every entry, and sends nothing", async () => {
    const run = await attest(
      `- {name: unit, kind: junit}
- just a text
- {name: lint, compliant: maybe, tst-results: a.xml}
- {compliant: true}
- {name: a, compliant: true, api-key: de_secret}
- {name: b, compliant: true, github-token: ghs_secret}
- {name: c, compliant: true, timeout: 5, check-template: false}
- {name: d, compliant: true, attachments: {a: {b: c}}}
- {name: e, compliant: [true, false]}
- {name: f, compliant: true}
- {name: f, test-results: a.xml}`,
    );
    expect(annotationsIn(run.stdout).map((line) => line.replaceAll("%0A", "\n"))).toMatchSnapshot();
    expect(run.stdout).not.toMatch(/de_secret|ghs_secret/);
    expect(run.requests).toEqual([]);
    expect(run.status).toBe(1);
  });

  test.each([
    ["", "'evidence.yml' must list 1 to 200 attestations, at the top level or under 'attestations:'"],
    ["[]", "'evidence.yml' must list 1 to 200 attestations"],
    ["attestations: []\nmore: 1", "'evidence.yml' must list 1 to 200 attestations"],
    ["- {name: a\n- b", "'evidence.yml', line 2, column"],
    ["- {name: a, compliant: true}\n".repeat(201), "'evidence.yml' must list 1 to 200 attestations"],
    [
      `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefghi"
        .split("")
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`)
        .join("\n")}`,
      "the YAML repeats its aliases too often",
    ],
  ])("%#: reports the problem", async (manifest, problem) => {
    const run = await attest(manifest);
    expect(annotationsIn(run.stdout).join()).toMatch(
      /::error title=input.(invalid|missing),file=evidence.yml/,
    );
    expect(annotationsIn(run.stdout).join()).toContain(problem);
    expect(run.requests).toEqual([]);
  });

  test("reports a missing file", async () => {
    const run = await attest("", { inputs: { manifest: "other.yml" } });
    expect(annotationsIn(run.stdout)).toEqual([
      "::error title=file.unusable::manifest: 'other.yml' does not exist",
    ]);
  });

  test("reports a file outside the workspace", async () => {
    const run = await attest("", { inputs: { manifest: "../event.json" } });
    expect(annotationsIn(run.stdout).join()).toContain("outside the workspace");
  });
});

test("sends two hundred entries, a few at a time", async () => {
  const entries = Array.from({ length: 200 }, (_, index) => `- {name: n${index}, compliant: true}`);
  const run = await attest(entries.join("\n"));
  expect(run.status).toBe(0);
  expect(new Set(run.sent.map(({ data }) => data["attestation_name"])).size).toBe(200);
});

test("neutralizes hostile names in every output of a manifest", async () => {
  const run = await attest(
    '- {name: "a`b|<script>\\n::error::x", compliant: true}\n- {name: ok, compliant: true, description: "##[error]y"}',
    { answers: [{ status: 400, body: { message: "\n::error::z\n##[error]w <img>" } }] },
  );
  expect(commandNames(run.stdout)).toEqual(["error"]);
  const summary = run.snapshot.split("# summary")[1]?.split("# requests")[0] ?? "";
  expect(summary).not.toMatch(/<(?!br>|wbr>|http)/);
});
