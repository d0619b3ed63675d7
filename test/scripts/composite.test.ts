import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CompositeCall, runComposite, type StepRun } from "../../scripts/composite/composite.ts";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "composite run-")));
  await mkdir(join(root, "workspace"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Runs an action whose file has these lines after its name. */
async function run(action: string, call: Partial<CompositeCall> = {}): Promise<StepRun> {
  const actionFolder = join(root, "actions", "sample");
  await mkdir(actionFolder, { recursive: true });
  await writeFile(join(actionFolder, "action.yml"), `name: Sample\ndescription: A sample\n${action}`);
  return await runComposite({
    actionFolder,
    workspace: join(root, "workspace"),
    tempDir: join(root, "_temp"),
    ...call,
  });
}

/** The `runs` of an action with one bash step. */
function script(text: string): string {
  const lines = text.split("\n").map((line) => `        ${line}`);
  return `runs:\n  using: composite\n  steps:\n    - shell: bash\n      run: |\n${lines.join("\n")}\n`;
}

describe("inputs", () => {
  test("reach the step as JSON: given values, then defaults, which may be expressions or not strings in YAML", async () => {
    const { log, outcome } = await run(
      `
inputs:
  api-key: { description: The key }
  token: { default: "\${{ github.token }}" }
  timeout: { default: 120 }
  summary: { default: true }
  list: { required: true }
  nothing:
runs:
  using: composite
  steps:
    - shell: bash
      env: { INPUTS: "\${{ toJSON(inputs) }}" }
      run: printf '%s' "$INPUTS" > inputs.json
`,
      { with: { list: "a\n'b' \"c\" $(d)" }, github: { token: "ghs_token" } },
    );

    expect(outcome).toBe("success");
    expect(JSON.parse(await readFile(join(root, "workspace", "inputs.json"), "utf8"))).toEqual({
      list: "a\n'b' \"c\" $(d)",
      "api-key": "",
      token: "ghs_token",
      timeout: "120",
      summary: "true",
      nothing: "",
    });
    expect(log).not.toContain("ghs_token");
  });

  test("cause a warning when they are unknown or deprecated, whatever their case", async () => {
    const { annotations, outcome } = await run(
      `
inputs:
  old: { deprecationMessage: use new }
  new: {}
${script("true")}`,
      { with: { OLD: "x", tpyo: "y" } },
    );

    expect(outcome).toBe("success");
    expect(annotations.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "warning Input 'old' has been deprecated with message: use new",
      "warning Unexpected input(s) 'tpyo', valid inputs are ['old', 'new']",
    ]);
  });

  test("with an invalid default fail the action before its steps", async () => {
    const { annotations, exitCode, rawStdout } = await run(
      `inputs:\n  a: { default: "\${{ secrets.KEY }}" }\n${script("echo ran")}`,
    );

    expect(annotations[0]?.message).toContain("Unrecognized named-value: 'secrets'");
    expect({ exitCode, rawStdout }).toEqual({ exitCode: 1, rawStdout: "" });
  });
});

describe("a step gets", () => {
  test("the variables of the runner, which the workflow cannot change, and those of job and step", async () => {
    const { rawStdout } = await run(
      `
runs:
  using: composite
  steps:
    - shell: bash
      env: { OWN: "\${{ env.JOB_LEVEL }}!", GITHUB_SHA: forged, RUNNER_TEMP: forged }
      run: |
        echo "$OWN $GITHUB_SHA $GITHUB_ACTIONS $CI $GITHUB_REF_PROTECTED \${GITHUB_TOKEN-no token} \${GITHUB_EVENT-no event}"
        echo "$GITHUB_ACTION_PATH|$GITHUB_WORKSPACE|$PWD|$RUNNER_TEMP"
        cat "$GITHUB_EVENT_PATH"
`,
      {
        env: { JOB_LEVEL: "job" },
        github: { sha: "abc", ref_protected: true, token: "ghs_token", event: { number: 7 } },
      },
    );

    expect(rawStdout.split("\n")).toEqual([
      "job! abc true true true no token no event",
      [
        join(root, "actions", "sample"),
        join(root, "workspace"),
        join(root, "workspace"),
        join(root, "_temp"),
      ].join("|"),
      '{"number":7}',
    ]);
  });

  test("the Node that runs these tests first on PATH, unless the job has a PATH", async () => {
    const first = await run(script("command -v node"));
    expect(first.rawStdout).toBe(`${process.execPath}\n`);

    const own = await run(script("echo $PATH"), { env: { PATH: "/usr/bin:/bin" } });
    expect(own.rawStdout).toBe("/usr/bin:/bin\n");

    const both = await run(script("echo $PATH"), { env: { PATH: "/usr/bin:/bin" }, nodePath: "/opt/node" });
    expect(both.rawStdout).toBe("/opt/node:/usr/bin:/bin\n");
  });

  test("no variables of the tests that a machine would not have", async () => {
    process.env["INPUTS"] = "from outside";
    try {
      expect((await run(script("echo ${INPUTS-none} ${VITEST-none}"))).rawStdout).toBe("none none\n");
    } finally {
      delete process.env["INPUTS"];
    }
  });

  test("a shell that stops at the first failure, in a pipe too", async () => {
    const { rawStdout, exitCode, annotations } = await run(script("echo one\n(exit 3) | cat\necho two"));

    expect(rawStdout).toBe("one\n");
    expect(exitCode).toBe(3);
    expect(annotations).toEqual([
      { level: "error", message: "Process completed with exit code 3.", properties: {} },
    ]);
  });

  test("its working directory, below the workspace", async () => {
    await mkdir(join(root, "workspace", "sub dir"));
    const step = (folder: string) =>
      `runs:\n  using: composite\n  steps:\n    - { shell: bash, run: pwd, working-directory: "${folder}" }\n`;

    expect((await run(step("sub dir"))).rawStdout).toBe(`${join(root, "workspace", "sub dir")}\n`);
    expect(await run(step("missing"))).toMatchObject({ outcome: "failure", exitCode: 1, rawStdout: "" });
  });
});

describe("steps", () => {
  test("after a failure run only if their condition allows it, and the first failure is the action's", async () => {
    const { rawStdout, outcome, exitCode, steps } = await run(`
runs:
  using: composite
  steps:
    - { id: one, shell: bash, run: "exit 7" }
    - { id: two, shell: bash, run: echo two }
    - { id: three, shell: bash, run: echo three, if: failure() }
    - { id: four, shell: bash, run: echo four, if: "always() && steps.two.outcome == 'skipped'" }
`);

    expect(rawStdout).toBe("three\nfour\n");
    expect({ outcome, exitCode }).toEqual({ outcome: "failure", exitCode: 7 });
    expect(Object.values(steps).map((step) => step.outcome)).toEqual([
      "failure",
      "skipped",
      "success",
      "success",
    ]);
  });

  test("with continue-on-error do not fail the action, but have the outcome failure", async () => {
    const { rawStdout, outcome, exitCode, steps } = await run(`
runs:
  using: composite
  steps:
    - { id: try, shell: bash, run: "exit 7", continue-on-error: true }
    - { shell: bash, run: "echo \${{ steps.try.outcome }} \${{ steps.try.conclusion }}" }
`);

    expect(rawStdout).toBe("failure success\n");
    expect({ outcome, exitCode }).toEqual({ outcome: "success", exitCode: 0 });
    expect(steps["try"]).toEqual({ outcome: "failure", conclusion: "success", outputs: {} });
  });

  test("with an invalid expression fail with an annotation", async () => {
    const { outcome, annotations } = await run(
      `runs:\n  using: composite\n  steps:\n    - { shell: bash, run: echo, if: nothing.here }\n`,
    );

    expect(outcome).toBe("failure");
    expect(annotations[0]?.message).toContain("Unrecognized named-value: 'nothing'");
  });

  test("with an invalid command fail though the process succeeded", async () => {
    expect(await run(script("echo '::set-env name=A::b'"))).toMatchObject({
      outcome: "failure",
      exitCode: 1,
    });
  });

  test("see the variables and folders that earlier steps exported, the last folder first", async () => {
    const { rawStdout, env, path } = await run(
      `
runs:
  using: composite
  steps:
    - shell: bash
      run: |
        printf 'A=1\\nB<<E\\nx\\ny\\nE\\n' >> "$GITHUB_ENV"
        printf '/one\\n/two\\n' >> "$GITHUB_PATH"
    - shell: bash
      env: { FROM_CONTEXT: "\${{ env.A }}" }
      run: echo "$A,$B,$FROM_CONTEXT,$PATH"
`,
      { env: { PATH: "/usr/bin:/bin" } },
    );

    expect(rawStdout).toBe("1,x\ny,1,/two:/one:/usr/bin:/bin\n");
    expect({ env, path }).toEqual({ env: { A: "1", B: "x\ny" }, path: ["/two", "/one"] });
  });

  test("may not export NODE_OPTIONS", async () => {
    const { env, annotations } = await run(script('echo "NODE_OPTIONS=--require x" >> "$GITHUB_ENV"'));

    expect(env).toEqual({});
    expect(annotations[0]?.message).toContain("Can't store NODE_OPTIONS");
  });
});

describe("outputs", () => {
  const mapping = `
outputs:
  text: { description: Text, value: "\${{ steps.make.outputs.text }}" }
  both: { value: "\${{ inputs.a }}-\${{ steps.make.outcome }}" }
  none: { value: "\${{ steps.make.outputs.none }}" }
inputs: { a: { default: x } }
`;
  const make = (text: string) => mapping + script(text).replace("- shell", "- id: make\n      shell");

  test("of the steps are mapped to those of the action, every one of them set", async () => {
    const { outputs } = await run(make("printf 'text<<E\\na\\n\\nb\\nE\\n' >> \"$GITHUB_OUTPUT\""));

    expect(outputs).toEqual({ text: "a\n\nb", both: "x-success", none: "" });
  });

  test("of a failed step are set too", async () => {
    const { outputs, outcome } = await run(make('echo text=left >> "$GITHUB_OUTPUT"; exit 1'));

    expect(outcome).toBe("failure");
    expect(outputs).toEqual({ text: "left", both: "x-failure", none: "" });
  });

  test("that are malformed fail the step", async () => {
    const { annotations, outcome } = await run(
      make('echo text=kept >> "$GITHUB_OUTPUT"; echo oops >> "$GITHUB_OUTPUT"'),
    );

    expect(outcome).toBe("failure");
    expect(annotations.map(({ message }) => message)).toEqual([
      "Unable to process file command 'output' successfully.",
      "Invalid format 'oops'",
    ]);
  });
});

describe("the log and the summary", () => {
  test("show what a user would see, with secrets masked", async () => {
    const { log, rawStdout, masks, annotations } = await run(
      script(
        [
          "echo before s3cret",
          "echo '::add-mask::s3cret'",
          "echo after s3cret",
          "echo '::error title=T,file=a.ts::bad s3cret'",
          "echo to stderr >&2",
        ].join("\n"),
      ),
      { with: { a: "given-mask" }, masks: ["given-mask"] },
    );

    expect(
      log.startsWith(
        "Warning: Unexpected input(s) 'a', valid inputs are []\n▼ Run sample\nwith:\n  a: ***\n▼ Run echo before s3cret\n",
      ),
    ).toBe(true);
    expect(log).toContain("\nbefore s3cret\n");
    expect(log).toContain("\nafter ***\n");
    expect(log).toContain("\nError: bad ***\n");
    expect(log).toContain("to stderr\n");
    expect(rawStdout).toContain("after s3cret");
    expect(masks).toEqual(["given-mask", "s3cret"]);
    expect(annotations[1]).toEqual({
      level: "error",
      message: "bad ***",
      properties: { title: "T", file: "a.ts" },
    });
  });

  test("the summaries of the steps are concatenated, with secrets masked", async () => {
    const { summary } = await run(`
runs:
  using: composite
  steps:
    - shell: bash
      run: echo '::add-mask::s3cret'; echo '| s3cret |' >> "$GITHUB_STEP_SUMMARY"
    - shell: bash
      run: echo second >> "$GITHUB_STEP_SUMMARY"
`);

    expect(summary).toBe("| *** |\n\nsecond\n");
  });

  test("a summary above 1 MiB is lost with an error, and the step succeeds", async () => {
    const { summary, outcome, annotations } = await run(
      script('head -c 1048577 /dev/zero | tr "\\0" x >> "$GITHUB_STEP_SUMMARY"'),
    );

    expect({ summary, outcome }).toEqual({ summary: "", outcome: "success" });
    expect(annotations[0]?.message).toContain("supports content up to a size of 1024k, got 1024k");
  });
});

describe("an action used within", () => {
  const uploads = `
outputs: { id: { value: "\${{ steps.up.outputs.artifact-id }}" } }
runs:
  using: composite
  steps:
    - { id: up, uses: "actions/upload-artifact@0123abc", with: { name: "e-\${{ github.run_id }}", retention-days: 5 }, env: { A: b } }
    - { shell: bash, run: echo next }
`;

  test("is simulated with its inputs, and its outputs and commands count", async () => {
    const uses: unknown[] = [];
    const { outputs, log, rawStdout, annotations } = await run(uploads, {
      github: { run_id: "42" },
      uses: {
        "actions/upload-artifact": async (use) => {
          uses.push(use);
          return { outcome: "success", outputs: { "artifact-id": "9" }, stdout: "::notice::uploaded\n" };
        },
      },
    });

    expect(uses).toEqual([
      {
        uses: "actions/upload-artifact@0123abc",
        with: { name: "e-42", "retention-days": "5" },
        env: { A: "b" },
        workspace: join(root, "workspace"),
      },
    ]);
    expect(outputs).toEqual({ id: "9" });
    expect(annotations).toEqual([{ level: "notice", message: "uploaded", properties: {} }]);
    expect(log).toContain(
      "▼ Run actions/upload-artifact@0123abc\nwith:\n  name: e-42\n  retention-days: 5\n",
    );
    expect(rawStdout).toContain("next\n");
  });

  test("fails the action when it fails", async () => {
    const played = await run(uploads, {
      uses: { "actions/upload-artifact@0123abc": async () => ({ outcome: "failure" }) },
    });

    expect(played).toMatchObject({ outcome: "failure", exitCode: 1, rawStdout: "" });
  });

  test("without a simulation is an error before anything runs, even behind a condition", async () => {
    const action = uploads
      .replace("- { shell: bash, run: echo next }", "")
      .replace("id: up,", "id: up, if: 'false',");

    await expect(run(action)).rejects.toThrow(
      "uses 'actions/upload-artifact@0123abc', which has no replacement here",
    );
  });
});

describe("an action file that GitHub would reject", () => {
  test.each([
    ["no shell", "runs:\n  using: composite\n  steps:\n    - { run: echo }\n"],
    ["an unknown key", "runs:\n  using: composite\n  steps:\n    - { run: echo, shell: bash, rnu: x }\n"],
    ["neither run nor uses", "runs:\n  using: composite\n  steps:\n    - { shell: bash }\n"],
    ["another kind of action", "runs:\n  using: node24\n  main: index.js\n"],
  ])("is rejected: %s", async (_, action) => {
    await expect(run(action)).rejects.toThrow("is not a composite action");
  });

  test("a folder without one is rejected", async () => {
    const call = { actionFolder: join(root, "nowhere"), workspace: root, tempDir: dirname(root) };

    await expect(runComposite(call)).rejects.toThrow("has no action.yml");
  });
});

test("the launcher runs a bundle from a composite step", async () => {
  const actions = join(root, "actions");
  await mkdir(join(root, "dist", "sample"), { recursive: true });
  await mkdir(actions, { recursive: true });
  const launcher = await readFile(new URL("../../actions/launch.sh", import.meta.url));
  await writeFile(join(actions, "launch.sh"), launcher, { mode: 0o755 });
  await writeFile(
    join(root, "dist", "sample", "index.js"),
    "console.log(JSON.parse(process.env.INPUTS).name, process.cwd()); process.exitCode = 3;",
  );

  const { rawStdout, exitCode } = await run(
    `
inputs: { name: {} }
runs:
  using: composite
  steps:
    - env: { INPUTS: "\${{ toJSON(inputs) }}" }
      shell: bash
      run: '"$GITHUB_ACTION_PATH/../launch.sh" sample'
`,
    { with: { name: "naïve 'one'" } },
  );

  expect({ rawStdout, exitCode }).toEqual({
    rawStdout: `naïve 'one' ${join(root, "workspace")}\n`,
    exitCode: 3,
  });
});
