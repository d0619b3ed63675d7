import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { assertArtifact } from "../../src/actions/assert-artifact.ts";
import { attest } from "../../src/actions/attest.ts";
import { beginTrail } from "../../src/actions/begin-trail.ts";
import { reportEnv } from "../../src/actions/report-env.ts";
import { variableOf } from "../../src/cli/usage.ts";
import type { Inputs } from "../../src/github/step/input.ts";
import { CI_NAMES, CI_SYSTEMS, type CiName, type CiSystem, type Texts } from "./ci-systems.ts";
import { type Job, startJob } from "./job.ts";

const COMMANDS = { "begin-trail": beginTrail, attest, gate: assertArtifact, report: reportEnv } as const;

/** Parameters of the wrappers that are no options of the command. */
const OWN = {
  gitlab: ["image", "job", "stage", "when"],
  azure: ["apiKey", "condition", "step"],
  circleci: ["when"],
  buildkite: ["command"],
} as const satisfies Partial<Record<CiName, readonly string[]>>;

/** The option of a parameter: `test-results` for `testResults`. */
function optionOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The pipe takes variables, so all options. */
const cases = (["gitlab", "azure", "circleci", "buildkite"] as const).flatMap((name) =>
  (["attest", "gate", "report"] as const).map((command) => [name, command] as const),
);

describe.each(cases)("%s %s", (name, command) => {
  const system: CiSystem = CI_SYSTEMS[name];
  const own: readonly string[] = OWN[name];
  const inputs: Inputs = COMMANDS[command].inputs;
  const options = Object.entries(system.parametersOf(command))
    .filter(([parameter]) => !own.includes(parameter))
    // The plugin has the options of all commands.
    .filter(([parameter]) => name !== "buildkite" || optionOf(parameter) in inputs);

  it("takes options of the command, with its values and defaults", () => {
    for (const [parameter, { choices = [], default: otherwise }] of options) {
      const input = inputs[optionOf(parameter)] ?? expect.fail(`There is no option for ${parameter}`);
      // The plugin leaves the check to the client.
      if (input.choices && name !== "buildkite") expect(choices, parameter).toEqual(input.choices);
      for (const choice of choices) expect(() => input.parse(choice), choice).not.toThrow();
      if (otherwise) expect(otherwise, parameter).toBe(input.default);
    }
    expect(options.length).toBeGreaterThan(3);
  });

  it("passes each of them as its variable, and none in the script", () => {
    const texts = Object.fromEntries(
      Object.entries(system.parametersOf(command)).map(([parameter, { choices }]) => [
        parameter,
        choices?.[0] ?? `any ${parameter}`,
      ]),
    );
    const { env, script } = system.call(command, texts, {});
    expect(script).not.toContain("any ");
    const prefix = name === "buildkite" ? "BUILDKITE_PLUGIN_" : "";
    for (const [parameter] of options)
      expect(env[prefix + variableOf(optionOf(parameter))], parameter).toBe(texts[parameter]);
  });
});

test("each property of the plugin is an option of a command", () => {
  const all = Object.assign({}, ...Object.values(COMMANDS).map(({ inputs }) => inputs));
  const parameters = Object.keys(CI_SYSTEMS.buildkite.parametersOf("attest"));
  expect(parameters.filter((parameter) => !(parameter in all))).toEqual(["command"]);
});

/** Files that a wrapper would create if a shell read a value as text of a script. */
const HOSTILE = `a'b"c $(touch pwned) \`touch pwned\` ; touch pwned\n& touch pwned | touch pwned #>pwned`;

describe("a value of any text", () => {
  let job: Job;
  beforeAll(async () => {
    job = await startJob();
  });
  afterAll(() => job[Symbol.asyncDispose]());

  const required = {
    gitlab: { flow: "web", name: "app" },
    azure: { flow: "web", name: "app" },
    circleci: { flow: "web", name: "app" },
    buildkite: { command: "attest", flow: "web", name: "app" },
    bitbucket: { COMMAND: "attest", EVIDENCE_FLOW: "web", EVIDENCE_NAME: "app" },
  } as const satisfies Record<CiName, Texts>;

  test.each(CI_NAMES)("reaches the client through %s, and no shell runs it", async (name) => {
    const artifact = name === "bitbucket" ? "EVIDENCE_ARTIFACT" : "artifact";
    const { client } = await job.record(
      job.wrapper(name, "attest", { ...required[name], [artifact]: HOSTILE }),
    );
    expect(client).toEqual({
      args: ["attest"],
      env: expect.objectContaining({ EVIDENCE_ARTIFACT: HOSTILE, EVIDENCE_FLOW: "web" }),
    });
    expect(await job.files()).toEqual([]);
  });

  it("needs no key: the client gets a token, or what requests one", async () => {
    const envOf = async (name: CiName, more: Texts) => {
      const { client } = await job.record(job.wrapper(name, "attest", required[name], more));
      return client?.env ?? expect.fail("it did not start");
    };
    const { EVIDENCE_BASE_URL: url, EVIDENCE_ORG: org } = job.connection;
    expect((await envOf("gitlab", {}))["EVIDENCE_ID_TOKEN"]).toBe(`${url}/${org}`);
    const azure = await envOf("azure", { SYSTEM_ACCESSTOKEN: "access-token" });
    expect(azure).toMatchObject({ SYSTEM_ACCESSTOKEN: "access-token", EVIDENCE_API_KEY: "" });
    // The containers of all pipes of a step share it.
    const shared = await envOf("bitbucket", { BITBUCKET_PIPE_STORAGE_DIR: "/shared" });
    expect(shared["TMPDIR"]).toBe("/shared");
  });

  const hook = (name: string, command: string, status = "0") => {
    const { env, ...call } = job.wrapper("buildkite", "report", {
      command: "report",
      environment: "production",
    });
    const own = { BUILDKITE_PLUGIN_EVIDENCE_COMMAND: command, BUILDKITE_COMMAND_EXIT_STATUS: status };
    return { ...call, script: call.script.replace("post-command", name), env: { ...env, ...own } };
  };

  test.each([
    ["pre-command", "attst", 1],
    ["pre-command", "report", 0],
    ["post-command", "gate", 0],
    ["post-command", "begin-trail", 0],
  ])("the hook %s of Buildkite starts nothing for %s", async (script, command, status) => {
    const ended = await job.record(hook(script, command));
    const stderr = status === 0 ? "" : expect.stringContaining("must be begin-trail, attest, gate or report");
    expect(ended).toEqual({ status, stdout: "", stderr, client: undefined });
  });

  it("makes Buildkite report an environment only after a command that succeeded", async () => {
    const { client } = await job.record(hook("post-command", "report"));
    expect(client?.env["EVIDENCE_ENVIRONMENT"]).toBe("production");
    expect((await job.record(hook("post-command", "report", "1"))).client).toBeUndefined();
  });

  it("begins a trail by the pipe, and by the plugin before the command of the step", async () => {
    const pipe = job.wrapper("bitbucket", "attest", { COMMAND: "begin-trail" });
    for (const call of [pipe, hook("pre-command", "begin-trail")])
      expect((await job.record(call)).client?.args).toEqual(["begin-trail"]);
  });

  it("stays within a hook, because Buildkite keeps exported variables", async () => {
    const call = hook("post-command", "report");
    const { stdout } = await job.record({ ...call, script: `${call.script} >/dev/null\nenv` });
    expect(stdout).toContain("\nBUILDKITE_PLUGIN_EVIDENCE_ENVIRONMENT=production\n");
    expect(stdout).not.toContain("\nEVIDENCE_ENVIRONMENT=");
  });

  it("is refused by the pipe if it is no command", async () => {
    const ended = await job.record(job.wrapper("bitbucket", "attest", { COMMAND: "trust" }));
    expect(ended).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("must be begin-trail, attest, gate or report"),
    });
  });
});
