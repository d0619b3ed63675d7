import { describe, expect, test } from "vitest";
import { attest } from "../../src/actions/attest.ts";
import { parseInputs } from "../../src/github/inputs.ts";

/** What is wrong with these inputs: each by itself and all together. */
function problemsOf(given: Record<string, string>): string[] {
  const {
    values,
    given: names,
    problems,
  } = parseInputs(attest.inputs, {
    INPUTS: JSON.stringify({ flow: "web", ...given }),
  });
  return [...problems, ...(attest.check?.(values, names) ?? [])].map(
    ({ input, problem }) => `${input}: ${problem}`,
  );
}

const generic = { name: "unit", compliant: "true" };
const artifact = { name: "app", kind: "artifact", fingerprint: "ab".repeat(32) };

describe("inputs that go together:", () => {
  test.each<[string, Record<string, string>]>([
    ["a fact about a trail", generic],
    ["a fact about an artifact by its fingerprint", { ...generic, fingerprint: "ab".repeat(32) }],
    ["a fact about a file", { ...generic, artifact: "app.tgz" }],
    [
      "a fact about a folder without some of it",
      { ...generic, artifact: "dist", "artifact-type": "dir", exclude: "*.map" },
    ],
    ["a fact about an artifact of the template", { ...generic, name: "app.unit" }],
    ["a fact about several of them", { ...generic, "target-artifacts": "app, db" }],
    [
      "a fact with all of its files",
      { ...generic, attachments: "*.xml", "archive-attachments": "true", "if-no-files-found": "warn" },
    ],
    ["a verdict that is the result of a job", { ...generic, compliant: "failure" }],
    ["an artifact by its fingerprint", artifact],
    ["an artifact by its file", { name: "app", kind: "artifact", artifact: "app.tgz" }],
    [
      "an artifact with what every kind takes",
      { ...artifact, annotations: "a=1", description: "d", "user-data": "{}" },
    ],
  ])("%s", (_, given) => {
    expect(problemsOf(given)).toEqual([]);
  });
});

describe("inputs that do not go together:", () => {
  test.each<[Record<string, string>, string[]]>([
    [{ name: "unit" }, ["compliant: is required for kind: generic, or test-results or scan-results in its place"]],
    [{ name: "unit", compliant: "" }, ["compliant: is required for kind: generic, or test-results or scan-results in its place"]],
    [
      { ...generic, compliant: "yes" },
      ["compliant: must be true, false, success, failure, cancelled or skipped, not 'yes'"],
    ],
    [{ name: "app", kind: "artifact" }, ["fingerprint: is required, or artifact in its place"]],
    [{ ...artifact, compliant: "true" }, ["compliant: is not used by kind: artifact"]],
    [{ ...artifact, attachments: "*.xml" }, ["attachments: is not used by kind: artifact"]],
    [{ ...artifact, "archive-attachments": "true" }, ["archive-attachments: is not used by kind: artifact"]],
    [{ ...artifact, "if-no-files-found": "warn" }, ["if-no-files-found: is not used by kind: artifact"]],
    [
      { ...artifact, "allow-outside-workspace": "true" },
      ["allow-outside-workspace: is not used by kind: artifact"],
    ],
    [{ ...artifact, "target-artifacts": "db" }, ["target-artifacts: is not used by kind: artifact"]],
    [{ ...artifact, artifact: "app.tgz" }, ["artifact: excludes fingerprint: give one of them"]],
    [{ ...generic, "artifact-type": "dir" }, ["artifact-type: is of use only with artifact"]],
    [
      { ...generic, artifact: "app.tgz", exclude: "*.map" },
      ["exclude: is of use only with artifact-type: dir"],
    ],
    [
      { ...generic, name: "app.unit", "target-artifacts": "db" },
      ["target-artifacts: excludes an artifact in name: give one of them"],
    ],
    [{ ...generic, name: "a.b.c" }, ["name: must be attestation or artifact.attestation, not 'a.b.c'"]],
    [{ ...generic, name: ".unit" }, ["name: must be attestation or artifact.attestation, not '.unit'"]],
    [{ ...generic, name: "app." }, ["name: must be attestation or artifact.attestation, not 'app.'"]],
    [
      { ...artifact, name: "app.unit" },
      ["name: must be the artifact's name in the template, not 'app.unit'"],
    ],
    [{ ...generic, name: "" }, ["name: is required"]],
  ])("%o", (given, problems) => {
    expect(problemsOf(given)).toEqual(problems);
  });

  test("all of them are told at once", () => {
    expect(
      problemsOf({ name: "a.b", kind: "artifact", compliant: "true", attachments: "x", exclude: "y" }),
    ).toEqual([
      "fingerprint: is required, or artifact in its place",
      "exclude: is of use only with artifact-type: dir",
      "compliant: is not used by kind: artifact",
      "attachments: is not used by kind: artifact",
      "name: must be the artifact's name in the template, not 'a.b'",
    ]);
  });

  test("a kind that does not exist is one problem, not one for each input", () => {
    expect(problemsOf({ ...generic, name: "app.unit", attachments: "*.xml", kind: "generics" })).toEqual([
      "kind: must be generic, artifact, junit, snyk, pull_request, jira, sonar, custom or override, not 'generics'",
    ]);
  });
});

test.each([
  ["true", true],
  ["success", true],
  ["false", false],
  ["failure", false],
  ["cancelled", false],
  ["skipped", false],
])("the verdict '%s' is compliant: %s", (compliant, expected) => {
  const { values } = parseInputs(attest.inputs, { INPUTS: JSON.stringify({ compliant }) });
  expect(values.compliant).toBe(expected);
});
