import { describe, expect, it } from "vitest";
import { optionsOf, withOptions } from "../../src/cli/input-options.ts";
import { parse } from "../../src/cli/usage.ts";
import { choice, lines, list, pairs, text, whole } from "../../src/github/step/input.ts";

const TEXT = text({ description: "" });
const INPUTS = {
  ...{ artifact: TEXT, name: TEXT, "user-data": TEXT, "create-flow": TEXT },
  kind: choice({ choices: ["test", "scan"], description: "" }),
  "artifact-type": choice({ choices: ["file", "oci"], description: "" }),
};

describe("withOptions()", () => {
  it.each([
    ["is required, or set `artifact` instead", "is required, or set --artifact instead"],
    ["with `kind: artifact` of attest", "with --kind artifact of attest"],
    ["set create-flow: false, or create-flow: true.", "set --no-create-flow, or --create-flow."],
    ["an artifact of a kind", "an artifact of a kind"],
    ["is required for kind: test, or scan", "is required for --kind test, or scan"],
    ["any kind: see kind: tests", "any kind: see kind: tests"],
    ["use artifact-type: oci.", "use --artifact-type oci."],
    ["use `name: app.unit-test` and no `artifact`", "use --name app.unit-test and no --artifact"],
    ["read user-data.", "read --user-data."],
    ["`gh read user-data`", "`gh read user-data`"],
    ["`other` and `user-data`", "`other` and --user-data"],
    ["'user-data.json' and user-data.json", "'user-data.json' and user-data.json"],
    ["/tmp/user-data and user-data/x", "/tmp/user-data and user-data/x"],
    ["--user-data and my-user-data", "--user-data and my-user-data"],
  ])("changes %j to %j", (message, expected) => {
    expect(withOptions(message, INPUTS)).toBe(expected);
  });
});

describe("optionsOf()", () => {
  it("lists choices of any case, without refusing another case", () => {
    const type = choice({ choices: ["K8S", "S3"], default: "K8S", anyCase: true, description: "Type." });
    const options = optionsOf({ type });
    expect(options["type"]).toMatchObject({ values: ["K8S", "S3"] });
    const definition = { ...{ group: "", summary: "", args: [], examples: [] }, options };
    expect(parse(["--type", "k8s"], "report", definition).values).toEqual({ type: "k8s" });
  });

  it("names other options in descriptions, and tells them from choices", () => {
    const kind = choice({ choices: ["artifact", "test"], description: "Kind: `artifact` or `test`." });
    const name = text({ description: "Excludes `artifact`. Required for `kind: test`, not `$CI`." });
    const { kind: first, name: second } = optionsOf({ kind, name, artifact: text({ description: "Path." }) });
    expect(first?.text).toBe("Kind: artifact or test");
    expect(second?.text).toBe("Excludes --artifact. Required for --kind test, not $CI");
  });

  it.each([
    ["flow", text({ description: "Name of the flow." }), "FLOW"],
    ["code-host-url", text({ description: "Address of your GitLab." }), "URL"],
    ["test-results", lines({ description: "Paths and globs of test reports." }), "PATH"],
    ["jira-projects", list({ description: "Keys of the projects." }), "PROJECT"],
    ["annotations", pairs({ description: "Short facts." }), "NAME=VALUE"],
    [
      "require-approvals",
      whole({ description: "Number of approvals.", default: "0", min: 0, max: 9 }),
      "NUMBER",
    ],
  ])("shows what the value of --%s is", (name, input, value) => {
    expect(optionsOf({ [name]: input })[name]?.value).toBe(value);
  });
});
