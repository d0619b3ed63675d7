import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KEY } from "../../api/connections.ts";
import { closedPort, httpServer, json, tcpServer } from "../../api/local-server.ts";
import { STEP } from "../../cli/command.ts";
import { COMPILE_CACHE } from "../../program-variables.ts";
import { readOutputs } from "../outputs-file.ts";
import { commandsIn, masksIn } from "../printed.ts";
import { tempFolder } from "../runners.ts";

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Record<string, string>;
  readonly summary: string;
  /** The texts of the error annotations. */
  readonly errors: string[];
}

interface Given {
  readonly inputs?: Record<string, string>;
  readonly env?: Record<string, string>;
  /** Sends the signal once the step has printed that it waits, or after `when`. */
  readonly interrupt?: { readonly signal: NodeJS.Signals; readonly when?: Promise<unknown> };
}

/** Runs the step as the composite action does, in its own folder and isolated from our environment. */
async function runStep(scenario: string, { inputs = {}, env = {}, interrupt }: Given = {}): Promise<Ended> {
  const folder = tempFolder();
  const [output, summary] = [join(folder, "output"), join(folder, "summary")];
  writeFileSync(output, "");
  writeFileSync(summary, "");
  const child = spawn(process.execPath, [STEP, scenario], {
    cwd: folder,
    env: {
      ...COMPILE_CACHE,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      INPUTS: JSON.stringify({ "api-key": KEY, org: "acme", region: "eu", flow: "web", ...inputs }),
      ...env,
    },
  });
  let [stdout, stderr] = ["", ""];
  const waiting = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
      if (stdout.includes("waiting\n")) resolve();
    });
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const closed = once(child, "close");
  if (interrupt) {
    await (interrupt.when ?? waiting);
    child.kill(interrupt.signal);
  }
  const [status, signal] = await closed;
  const errors = [...stdout.matchAll(/^::error(?: [^:]*)?::(.*)$/gm)].map(([, text = ""]) => text);
  return {
    status,
    signal,
    stdout,
    stderr,
    outputs: readOutputs(readFileSync(output, "utf8")),
    summary: readFileSync(summary, "utf8"),
    errors,
  };
}

describe("a step ends with", () => {
  test("0 after a success, with its outputs set and no error logged", async () => {
    const ended = await runStep("succeed");
    expect(ended).toMatchObject({
      status: 0,
      outputs: { status: "recorded", detail: "first\nsecond" },
      errors: [],
    });
    expect(ended.stderr).toBe("");
  });

  test("1 when its gate fails, with its outputs set and the reason in one annotation", async () => {
    const { status, outputs, errors } = await runStep("closeGate");
    expect({ status, outputs }).toEqual({
      status: 1,
      outputs: { status: "recorded", detail: "first\nsecond" },
    });
    expect(errors).toEqual(["The gate%0A: :stop-commands::x stays shut"]);
  });

  test.each([
    ["throwUnexpectedly", "odd%0A: :error::injected"],
    ["throwText", "just a text"],
    ["faultElsewhere", "in a timer"],
    ["rejectElsewhere", "no handler exists"],
  ])("1 on an unexpected fault (%s), in one annotation", async (scenario, text) => {
    const ended = await runStep(scenario);
    expect(ended).toMatchObject({ status: 1, errors: [text], outputs: { status: "failed", detail: "" } });
    expect(ended.stdout).toContain("::error title=Unexpected error in this action (step.failed)::");
    expect(ended.stderr).toBe("");
  });

  test("1 when its work never settles, and says so", async () => {
    const ended = await runStep("neverSettle");
    expect(ended).toMatchObject({ status: 1, outputs: { status: "failed", detail: "" } });
    expect(ended.errors).toEqual([expect.stringContaining("without an outcome")]);
  });

  test("1 when the service rejects a request, with its message and the request's id", async () => {
    const server = await httpServer((response) =>
      json(response, 400, { message: "::add-mask::no", errors: { name: "bad" } }, { "x-request-id": "id-7" }),
    );
    const { status, outputs, errors, stdout } = await runStep("record", {
      inputs: { "base-url": server.url },
    });
    expect({ status, outputs }).toEqual({ status: 1, outputs: { status: "failed", detail: "" } });
    expect(errors).toEqual([
      expect.stringMatching(/^: :add-mask::no \(127\.0\.0\.1:\d+, createFlow, status 400\)%0Aname: bad$/),
    ]);
    expect(stdout).toContain("Request id-7");
    expect(masksIn(stdout)).not.toContain("no");
  });

  test("1 when the service is missing, after the configured attempts", async () => {
    const port = await closedPort();
    const { status, errors, stdout } = await runStep("record", {
      inputs: { "base-url": `http://127.0.0.1:${port}`, retries: "1" },
    });
    expect(status).toBe(1);
    expect(errors).toEqual([expect.stringContaining("connection refused (127.0.0.1:")]);
    expect(stdout).toMatch(/^Attempt 1 of 2 failed: .*connection refused\. Retrying in \d\.\d s\.$/m);
  });

  test("exit code 1 within its deadline when the service never responds", async () => {
    const server = await tcpServer(() => {});
    const { status, errors } = await runStep("record", { inputs: { "base-url": server.url, timeout: "1" } });
    expect(status).toBe(1);
    expect(errors).toEqual([expect.stringContaining("within 1 s")]);
  });
});

describe("an interrupted step ends with 130, says what is uncertain, and sets its outputs", () => {
  const expected = {
    status: 130,
    outputs: { status: "failed", detail: "" },
    errors: ["Interrupted: the request in progress may or may not have been recorded."],
    stderr: "",
  };

  test.each(["SIGINT", "SIGTERM"] as const)("on %s while it works", async (signal) => {
    expect(await runStep("waitForever", { interrupt: { signal } })).toMatchObject(expected);
  });

  test("in an upload", async () => {
    let arrived = () => {};
    const when = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await tcpServer((socket) => socket.once("data", () => arrived()));
    const ended = await runStep("record", {
      inputs: { "base-url": server.url },
      interrupt: { signal: "SIGINT", when },
    });
    expect(ended).toMatchObject(expected);
  });

  test("in a wait for the next attempt", async () => {
    let refused = () => {};
    const when = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const server = await httpServer((response) => {
      json(response, 503, { message: "busy" }, { "retry-after": "60" });
      response.on("close", () => setTimeout(refused, 50));
      response.on("finish", () => setTimeout(refused, 50));
    });
    const ended = await runStep("record", {
      inputs: { "base-url": server.url },
      interrupt: { signal: "SIGINT", when },
    });
    expect(ended).toMatchObject(expected);
  });
});

describe("before any work", () => {
  test("all invalid inputs are listed in one annotation, and nothing is sent", async () => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const { status, errors, outputs } = await runStep("record", {
      inputs: {
        "base-url": `${server.url}?x`,
        "api-key": "",
        org: "..",
        flow: "",
        strict: "true",
        timeout: "soon",
      },
    });
    expect({ status, outputs }).toEqual({ status: 1, outputs: { status: "failed", detail: "" } });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.split("%0A").map((line) => line.split(":")[0])).toEqual([
      "2 inputs are missing, and 4 cannot be used",
      "flow",
      "strict",
      "timeout",
      "api-key",
      "org",
      "base-url",
    ]);
    expect(server.received).toEqual([]);
  });

  test("the error for an empty key says what to do", async () => {
    const { errors } = await runStep("succeed", { inputs: { "api-key": "" } });
    expect(errors).toEqual([
      "api-key: is missing: add `id-token: write` to the `permissions` of the job and of the jobs that call it, if a service of your own trusts this workflow; or add `api-key: ${{ secrets.EVIDENCE_API_KEY }}` to the step, and set that secret",
    ]);
  });

  test("the key and its basic authorization are masked before anything else is printed", async () => {
    const { stdout } = await runStep("succeed");
    expect(masksIn(stdout)).toEqual([
      KEY,
      ...[`${KEY}:`, KEY].map((text) => Buffer.from(text).toString("base64")),
    ]);
    expect(stdout.startsWith(`::add-mask::${KEY}`)).toBe(true);
  });

  test("a step without its inputs fails with the reason", async () => {
    const { status, errors } = await runStep("succeed", { env: { INPUTS: "" } });
    expect(status).toBe(1);
    expect(errors).toEqual(["The variable INPUTS is not a JSON object."]);
  });
});

test("a successful call is recorded once, and its key appears only in the masks", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  const { status, outputs, stdout, stderr } = await runStep("record", {
    inputs: { "base-url": server.url, "auth-scheme": "basic" },
  });
  expect({ status, outputs }).toEqual({ status: 0, outputs: { status: "201", detail: "" } });
  expect(server.received).toHaveLength(1);
  const unmasked = (stdout + stderr).replace(/^::add-mask::.*$/gm, "");
  expect(unmasked).not.toContain(KEY);
  expect(unmasked).not.toContain(Buffer.from(`${KEY}:`).toString("base64"));
});

test("a dry run shows what would be sent, and sends nothing", async () => {
  const server = await tcpServer(() => {});
  const { status, outputs, stdout } = await runStep("record", {
    inputs: { "base-url": server.url, "dry-run": "true" },
  });
  expect({ status, outputs }).toEqual({ status: 0, outputs: { status: "dry-run", detail: "" } });
  expect(stdout).toContain("Dry run: would send createFlow");
  expect(stdout).toContain('"template": [');
  expect(server.connections()).toBe(0);
});

test("what an action prints executes no command", async () => {
  const { stdout, status } = await runStep("print");
  expect(status).toBe(0);
  expect(commandsIn(stdout).map((line) => line.split("::")[1])).toEqual([
    "add-mask",
    "add-mask",
    "add-mask",
    "warning",
  ]);
  expect(masksIn(stdout)).not.toContain("warned");
});

test.each([
  ["true", "### ✅ Done"],
  ["false", ""],
])("the summary is written when it is enabled: %s", async (wanted, heading) => {
  const { summary } = await runStep("summarize", { inputs: { summary: wanted } });
  expect(summary.split("\n")[0]).toBe(heading);
});

test("an unreadable event payload is a warning, not a failure", async () => {
  const { status, stdout } = await runStep("succeed", { env: { GITHUB_EVENT_PATH: "/nowhere/event.json" } });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^::warning::The event's payload does not exist/m);
});
