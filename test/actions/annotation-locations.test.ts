import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { runStep } from "../faults/step.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

/** The error annotation of a step: its location, and its lines. */
async function errorOf(
  action: string,
  inputs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  baseUrl = service.address,
) {
  const connection = { "api-key": service.keys.admin, org: ORG, "base-url": baseUrl, retries: "0" };
  const { status, stdout, stderr } = await runStep(action, { inputs: { ...connection, ...inputs }, files });
  expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  const [found, ...others] = [...stdout.matchAll(/^::error(?: (.*?))?::(.*)$/gm)];
  expect(others).toEqual([]);
  return { place: found?.[1], lines: (found?.[2] ?? "").split("%0A") };
}

const TEMPLATE =
  "version: 1\ntrail:\n  attestations:\n    - name: unit test\n      type: junit\n    - name: scan\n";

describe("a template error of the service is annotated at its line", () => {
  test("in the flow's template, from the fields of the response", async () => {
    const inputs = { flow: "web", "flow-template-file": "./ci/evidence.yml" };
    const { place, lines } = await errorOf("begin-trail", inputs, { "ci/evidence.yml": TEMPLATE });
    expect(place).toBe("title=template.invalid,file=ci/evidence.yml,line=4");
    expect(lines[0]).toMatch(/^Input payload validation failed \(.*, createFlowWithTemplate, status 400\)$/);
    expect(lines.slice(1, 3)).toEqual([
      expect.stringMatching(/^flow-template-file, line 4: trail\.attestations\[0\]\.name: /),
      expect.stringMatching(/^flow-template-file, line 6: trail\.attestations\[1\]\.type: /),
    ]);
  });

  test("with the allowed types", async () => {
    const { lines } = await errorOf(
      "begin-trail",
      { flow: "web", "flow-template-file": "evidence.yml" },
      { "evidence.yml": "version: 1\ntrail:\n  attestations:\n    - {name: unit, type: junitt}\n" },
    );
    expect(lines[1]).toBe(
      "flow-template-file, line 4: trail.attestations[0].type: must be generic, junit, snyk, pull_request, jira, sonar, decision, sbom, custom: or system: and the name of a type, or * for any type, not 'junitt'",
    );
  });

  test("for text that is not YAML", async () => {
    const inputs = { flow: "web", "flow-template-file": "evidence.yml" };
    const { place, lines } = await errorOf("begin-trail", inputs, {
      "evidence.yml": "version: 1\ntrail: [\n",
    });
    expect(place).toMatch(/^title=template\.invalid,file=evidence\.yml,line=\d$/);
    expect(lines[1]).toMatch(/^flow-template-file, line \d: Invalid YAML at line \d/);
  });

  test("in a trail's template, from a response with a message only", async () => {
    const message =
      "2 validation errors for Template\ntrail.attestations.1.type\n  Field required\nversion\n  Input should be 1";
    const other = await httpServer((response) => json(response, 400, { message }));
    const inputs = { flow: "web", "template-file": "evidence.yml" };
    const { place, lines } = await errorOf("begin-trail", inputs, { "evidence.yml": TEMPLATE }, other.url);
    expect(place).toBe("title=request.refused,file=evidence.yml,line=6");
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^2 validation errors for Template \(/),
      "template-file, line 6: trail.attestations.1.type: Field required",
      "template-file, line 1: version: Input should be 1",
    ]);
  });
});

describe("an invalid file is annotated at its line:", () => {
  test.each([
    [
      "an entry of a manifest",
      "attest",
      { flow: "web", manifest: "all.yml" },
      {
        "all.yml":
          "attestations:\n  - name: lint\n    compliant: true\n  - name: a b\n    compliant: maybe\n",
      },
      "title=input.invalid,file=all.yml,line=5",
      "manifest, entry 2 (a b), line 4: name must consist of letters, digits, hyphens, underscores and commas, not 'a b'",
    ],
    [
      "a manifest that is not YAML",
      "attest",
      { flow: "web", manifest: "all.yml" },
      { "all.yml": "- name: lint\n  compliant: [\n" },
      "title=input.invalid,file=all.yml,line=3",
      "manifest: 'all.yml', line 3, column 1: ",
    ],
    [
      "an environment of a config file",
      "report-env",
      { config: "envs.yml" },
      { "envs.yml": "- environment: prod\n  pods-file: a.json\n  kubeconfig: k\n- pods-file: b.json\n" },
      "title=input.invalid,file=envs.yml,line=3",
      "config, entry 2, line 4: environment is required",
    ],
    [
      "user data in a file",
      "attest",
      { flow: "web", name: "lint", compliant: "true", "user-data": "data.json" },
      { "data.json": '{\n  "a": 1,\n}\n' },
      "title=input.invalid,file=data.json,line=3",
      "user-data: 'data.json', line 3, column 1: the JSON ",
    ],
    [
      "a test report",
      "attest",
      { flow: "web", name: "unit", "test-results": "out/junit.xml" },
      { "out/junit.xml": "<testsuite name='s'>\n  <testcase name='t'>\n</testsuite>\n" },
      "title=report.unreadable,file=out/junit.xml,line=3",
      "test-results: 'out/junit.xml', line 3, column ",
    ],
  ])("%s", async (_, action, inputs, files, place, line) => {
    const error = await errorOf(action, inputs, files);
    expect(error.place).toBe(place);
    expect(error.lines.some((each) => each.startsWith(line))).toBe(true);
  });
});

describe("a problem names the input, not the field of the API:", () => {
  test.each([
    [
      "attest",
      { flow: "web", name: "unit test", compliant: "true" },
      "name: must consist of letters, digits, hyphens, underscores and commas, not 'unit test'",
    ],
    [
      "attest",
      { flow: "web", name: "unit", compliant: "true", "external-urls": "docs=ftp://x" },
      "external-urls: 'docs.href' must be an http:// or https:// address, not 'ftp://x'",
    ],
    [
      "attest",
      { flow: "web", name: "unit", compliant: "true", "on-unavailable": "spool", annotations: "a b=c" },
      "annotations: 'a b' must consist of letters, digits, underscores and hyphens, not 'a b'",
    ],
    [
      "attest",
      { flow: "a b", name: "unit", compliant: "true" },
      "flow: must consist of letters, digits, dots, hyphens, underscores and tildes, and begin with a letter or digit, not 'a b'",
    ],
    [
      "begin-trail",
      { flow: "web", trail: "a b" },
      "trail: must consist of letters, digits, dots, hyphens, underscores and tildes, and begin with a letter or digit, not 'a b'",
    ],
    [
      "begin-trail",
      { flow: "a b", "flow-description": "d" },
      "flow: must consist of letters, digits, dots, hyphens, underscores and tildes, and begin with a letter or digit, not 'a b'",
    ],
  ])("%s %j", async (action, inputs, problem) => {
    const { lines } = await errorOf(action, inputs, {});
    expect(lines).toContain(problem);
  });
});
