import { describe, expect, test } from "vitest";
import { attest } from "../../src/actions/attest.ts";
import { parseInputs } from "../../src/github/step/inputs.ts";

/** Problems with these inputs, one by one and together. */
async function problemsOf(given: Record<string, string>): Promise<string[]> {
  const {
    values,
    given: names,
    problems,
  } = parseInputs(attest.inputs, {
    INPUTS: JSON.stringify({ flow: "web", ...given }),
  });
  const checked = await attest.check(values, names);
  return [...problems, ...("problems" in checked ? checked.problems : [])].map(
    ({ input, problem }) => `${input}: ${problem}`,
  );
}

const generic = { name: "unit", compliant: "true" };
const artifact = { name: "app", kind: "artifact", fingerprint: "ab".repeat(32) };
const junit = { name: "unit", kind: "junit", "test-results": "*.xml" };
const snyk = { name: "scan", kind: "snyk", "scan-results": "*.sarif" };
const pullRequest = { name: "pr", kind: "pull_request" };
const jira = { name: "issues", kind: "jira", data: "[]" };
const lookup = { name: "issues", kind: "jira", "jira-url": "https://jira.example", "jira-token": "t" };
const sonar = { name: "gate", kind: "sonar", data: "{}" };
const analysed = { name: "gate", kind: "sonar", "sonar-url": "https://sonar.example", "sonar-token": "t" };
const custom = { name: "cov", kind: "custom", "type-name": "coverage", data: "{}" };
const override = { name: "unit", kind: "override", compliant: "true", data: "{}" };

describe("accepted input combinations:", () => {
  test.each<[string, Record<string, string>]>([
    ["an attestation on a trail", generic],
    ["an attestation on a fingerprint", { ...generic, fingerprint: "ab".repeat(32) }],
    ["an attestation on a file", { ...generic, artifact: "app.tgz" }],
    [
      "an attestation on a folder with excluded paths",
      { ...generic, artifact: "dist", "artifact-type": "dir", exclude: "*.map" },
    ],
    ["an attestation on an artifact of the template", { ...generic, name: "app.unit" }],
    ["an attestation on several template artifacts", { ...generic, "target-artifacts": "app, db" }],
    [
      "an attestation with attachments",
      { ...generic, attachments: "*.xml", "archive-attachments": "true", "if-no-files-found": "warn" },
    ],
    ["a job result as compliant", { ...generic, compliant: "failure" }],
    ["an artifact by its fingerprint", artifact],
    ["an artifact by its file", { name: "app", kind: "artifact", artifact: "app.tgz" }],
    [
      "an artifact with the inputs common to every kind",
      { ...artifact, annotations: "a=1", description: "d", "user-data": "{}" },
    ],
    ["test results decide compliance", { name: "unit", "test-results": "*.xml" }],
    ["scan results decide compliance", { name: "scan", "scan-results": "*.sarif", "fail-level": "low" }],
    [
      "test and scan results that decide together and are not attached",
      { ...generic, "test-results": "*.xml", "scan-results": "*.sarif", "attach-results": "false" },
    ],
    ["test results of kind junit", junit],
    ["test results of kind test", { ...junit, kind: "test" }],
    ["scan results of kind scan", { ...snyk, kind: "scan", "fail-level": "critical" }],
    ["an SBOM", { name: "sbom", kind: "sbom", attachments: "sbom.cdx.json" }],
    ["kind junit with data", { name: "unit", kind: "junit", data: "[]" }],
    ["scan results of kind snyk", snyk],
    ["kind snyk with data", { name: "scan", kind: "snyk", data: "{}" }],
    ["pull requests", pullRequest],
    ["kind pull_request with required approvals", { ...pullRequest, "require-approvals": "2" }],
    ["kind pull_request with a code host", { ...pullRequest, "code-host": "azure", "code-host-token": "t" }],
    ["kind pull_request with data", { ...pullRequest, data: "{}" }],
    ["Jira issues", jira],
    ["kind jira with a Jira lookup", { ...lookup, "jira-user": "bot", "jira-projects": "WEB" }],
    ["a Sonar analysis", sonar],
    ["kind sonar with a Sonar lookup", { ...analysed, "sonar-report": "target/sonar/report-task.txt" }],
    ["kind custom with data", custom],
    ["an override", override],
    ["kind override with data", { ...override, compliant: "" }],
    ["a manifest with the subject and commit of all its entries", { manifest: "m.yml", fingerprint: "ab" }],
  ])("%s", async (_, given) => {
    expect(await problemsOf(given)).toEqual([]);
  });
});

/** Additional inputs of each kind. All others must be rejected. */
const TAKEN = {
  generic: ["compliant", "target-artifacts", "test-results", "scan-results", "attachments"],
  artifact: [],
  test: ["target-artifacts", "test-results", "data", "attachments"],
  scan: ["target-artifacts", "scan-results", "attachments"],
  sbom: ["target-artifacts", "attachments"],
  junit: ["target-artifacts", "test-results", "data", "attachments"],
  snyk: ["target-artifacts", "scan-results", "data", "attachments"],
  pull_request: [
    ...["target-artifacts", "data", "require-approvals", "attachments"],
    ...["code-host", "code-host-url", "code-host-repository", "code-host-user", "code-host-token"],
  ],
  jira: ["target-artifacts", "data", "attachments", "jira-url", "jira-user", "jira-token", "jira-projects"],
  sonar: ["target-artifacts", "data", "attachments", "sonar-url", "sonar-token", "sonar-report"],
  custom: ["target-artifacts", "data", "type-name", "attachments"],
  override: ["compliant", "target-artifacts", "data"],
};
const SAMPLES = {
  compliant: "true",
  "target-artifacts": "app",
  "test-results": "*.xml",
  "scan-results": "*.sarif",
  data: "{}",
  "type-name": "coverage",
  "require-approvals": "1",
  "code-host": "gitlab",
  "code-host-url": "https://gitlab.example",
  "code-host-repository": "acme/web",
  "code-host-user": "bot@example.com",
  "code-host-token": "token",
  attachments: "*.txt",
  "jira-url": "https://jira.example",
  "jira-user": "bot",
  "jira-token": "token",
  "jira-projects": "WEB",
  "sonar-url": "https://sonar.example",
  "sonar-token": "token",
  "sonar-report": "report-task.txt",
};

test.each(Object.entries(TAKEN))("kind %s accepts %j of the kind-specific inputs", async (kind, taken) => {
  const accepted: string[] = [];
  for (const [input, value] of Object.entries(SAMPLES)) {
    const problems = await problemsOf({ name: "n", kind, fingerprint: "ab", [input]: value });
    if (!problems.includes(`${input}: is not used by kind: ${kind}`)) accepted.push(input);
  }
  expect(accepted.sort()).toEqual([...taken].sort());
});

describe("rejected input combinations:", () => {
  test.each<[Record<string, string>, string[]]>([
    [
      { name: "unit" },
      ["compliant: is required for kind: generic, or set test-results or scan-results instead"],
    ],
    [
      { name: "unit", compliant: "" },
      ["compliant: is required for kind: generic, or set test-results or scan-results instead"],
    ],
    [
      { ...generic, compliant: "yes" },
      ["compliant: must be true, false, success, failure, cancelled or skipped, not 'yes'"],
    ],
    [{ ...artifact, compliant: "true" }, ["compliant: is not used by kind: artifact"]],
    [{ ...artifact, attachments: "*.xml" }, ["attachments: is not used by kind: artifact"]],
    [{ ...artifact, "archive-attachments": "true" }, ["archive-attachments: is not used by kind: artifact"]],
    [{ ...artifact, "if-no-files-found": "warn" }, ["if-no-files-found: is not used by kind: artifact"]],
    [
      { ...artifact, "allow-outside-workspace": "true" },
      ["allow-outside-workspace: is not used by kind: artifact"],
    ],
    [{ ...artifact, "target-artifacts": "db" }, ["target-artifacts: is not used by kind: artifact"]],
    [{ ...artifact, artifact: "app.tgz" }, ["artifact: cannot be used with `fingerprint`: set one of them"]],
    [{ ...generic, "artifact-type": "dir" }, ["artifact-type: is used only with `artifact`"]],
    [
      { ...generic, artifact: "app.tgz", exclude: "*.map" },
      ["exclude: is used only with artifact-type: dir"],
    ],
    [
      { ...generic, name: "app.unit", "target-artifacts": "db" },
      ["target-artifacts: cannot be used if `name` has the form artifact.attestation"],
    ],
    [{ ...generic, name: "a.b.c" }, ["name: must be attestation or artifact.attestation, not 'a.b.c'"]],
    [{ ...generic, name: ".unit" }, ["name: must be attestation or artifact.attestation, not '.unit'"]],
    [{ ...generic, name: "app." }, ["name: must be attestation or artifact.attestation, not 'app.'"]],
    [
      { ...artifact, name: "app.unit" },
      ["name: must be the artifact's name in the template, not 'app.unit'"],
    ],
    [{ ...generic, name: "" }, ["name: is required"]],
    [{ name: "unit", kind: "junit" }, ["test-results: is required for kind: junit, or set data instead"]],
    [{ ...junit, data: "[]" }, ["data: cannot be used with test-results: set one of them"]],
    [{ ...junit, compliant: "true" }, ["compliant: is not used by kind: junit"]],
    [{ ...junit, "scan-results": "*.sarif" }, ["scan-results: is not used by kind: junit"]],
    [
      { name: "unit", kind: "junit", data: "[]", "attach-results": "false" },
      ["attach-results: is used only with test-results or scan-results"],
    ],
    [{ name: "scan", kind: "snyk" }, ["scan-results: is required for kind: snyk, or set data instead"]],
    [{ ...snyk, data: "{}" }, ["data: cannot be used with scan-results: set one of them"]],
    [{ ...snyk, "fail-level": "low" }, ["fail-level: is not used by kind: snyk"]],
    [{ ...snyk, "test-results": "*.xml" }, ["test-results: is not used by kind: snyk"]],
    [{ ...generic, data: "{}" }, ["data: is not used by kind: generic"]],
    [{ ...generic, "type-name": "coverage" }, ["type-name: is not used by kind: generic"]],
    [{ ...generic, "require-approvals": "1" }, ["require-approvals: is not used by kind: generic"]],
    [{ ...generic, "fail-level": "low" }, ["fail-level: is used only with scan-results"]],
    [
      { ...generic, "attach-results": "false" },
      ["attach-results: is used only with test-results or scan-results"],
    ],
    [
      { ...pullRequest, data: "{}", "require-approvals": "1" },
      ["data: cannot be used with require-approvals: set one of them"],
    ],
    [
      { ...pullRequest, data: "{}", "code-host": "gitlab" },
      ["data: cannot be used with code-host: set one of them"],
    ],
    [
      { ...pullRequest, "require-approvals": "many" },
      ["require-approvals: must be a whole number from 0 to 100, not 'many'"],
    ],
    [
      { name: "issues", kind: "jira" },
      ["jira-url", "jira-token"].map((input) => `${input}: is required for kind: jira, or set data instead`),
    ],
    [{ ...lookup, "jira-token": "" }, ["jira-token: is required for kind: jira, or set data instead"]],
    [{ ...lookup, data: "[]" }, ["data: cannot be used with jira-url: set one of them"]],
    [{ ...jira, "jira-projects": "WEB" }, ["jira-projects: is used only with jira-url"]],
    [
      { name: "gate", kind: "sonar" },
      ["sonar-url", "sonar-token"].map(
        (input) => `${input}: is required for kind: sonar, or set data instead`,
      ),
    ],
    [{ ...sonar, "sonar-report": "a" }, ["sonar-report: is used only with sonar-url"]],
    [{ ...analysed, data: "{}" }, ["data: cannot be used with sonar-url: set one of them"]],
    [
      { name: "cov", kind: "custom" },
      ["type-name: is required for kind: custom", "data: is required for kind: custom"],
    ],
    [{ ...override, data: "" }, ["data: is required for kind: override"]],
    [{ ...override, attachments: "*.xml" }, ["attachments: is not used by kind: override"]],
    [{ manifest: "m.yml", flow: "" }, []],
    [
      { manifest: "m.yml", name: "unit", kind: "junit", "test-results": "*.xml" },
      ["name", "kind", "test-results"].map(
        (input) => `${input}: cannot be used with \`manifest\`: set it in the manifest's entries`,
      ),
    ],
    [
      { manifest: "m.yml", fingerprint: "ab", artifact: "app" },
      ["artifact: cannot be used with `fingerprint`: set one of them"],
    ],
  ])("%o", async (given, problems) => {
    expect(await problemsOf(given)).toEqual(problems);
  });

  test("reports every problem at once", async () => {
    expect(
      await problemsOf({ name: "a.b", kind: "artifact", compliant: "true", attachments: "x", exclude: "y" }),
    ).toEqual([
      "exclude: is used only with artifact-type: dir",
      "compliant: is not used by kind: artifact",
      "attachments: is not used by kind: artifact",
      "name: must be the artifact's name in the template, not 'a.b'",
    ]);
  });

  test("reports an unknown kind as one problem, not one per input", async () => {
    expect(
      await problemsOf({ ...generic, name: "app.unit", attachments: "*.xml", kind: "generics" }),
    ).toEqual([
      "kind: must be generic, artifact, test, scan, sbom, provenance, junit, snyk, pull_request, jira, sonar, custom, decision or override, not 'generics'",
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
])("compliant: '%s' means %s", (compliant, expected) => {
  const { values } = parseInputs(attest.inputs, { INPUTS: JSON.stringify({ compliant }) });
  expect(values.compliant).toBe(expected);
});
