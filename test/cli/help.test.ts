import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { REGIONS } from "../../src/api/client/connection-options.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { ROLES } from "../../src/api/resources/service-accounts.ts";
import { SHARED } from "../../src/api/resources/share-links.ts";
import { GITHUB_ISSUER, WORKFLOW_ROLES } from "../../src/api/resources/trust-policies.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { PROGRAM } from "../../src/cli/operator/program.ts";
import { REGION_NAMES, ROLE_NAMES, WORKFLOW_ROLE_NAMES } from "../../src/cli/options.ts";
import { commandOf } from "../../src/cli/program.ts";
import { type Definition, parse } from "../../src/cli/usage.ts";
import { pipeline } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { CLI } from "./command.ts";
import { shellWords } from "./shell-words.ts";
import { runHere } from "./terminal.ts";

const NAMES = Object.keys(PROGRAM);
const definitions: Readonly<Record<string, Definition>> = Object.fromEntries(
  await Promise.all(Object.entries(PROGRAM).map(async ([name, each]) => [name, await each.define()])),
);
const examples = Object.values(definitions).flatMap((definition) => definition.examples);

async function printed(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runHere(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

describe("help", () => {
  it("of the program names every command, in at most 40 lines of 80 characters", async () => {
    const lines = (await printed("--help")).split("\n");
    // The last line ends with a line break.
    expect(lines.length).toBeLessThanOrEqual(41);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    for (const name of NAMES) {
      const [first = "", second = ""] = name.split(" ");
      const listed = lines.filter((line) => line.startsWith(`  ${first}  `));
      expect(listed).toHaveLength(1);
      expect(lines.join(" ")).toContain(` ${second}`);
    }
    expect(await printed("help")).toBe(lines.join("\n"));
  });

  it.each(NAMES)("of %s names its options and examples, and nothing of other commands", async (name) => {
    const { options, examples: own } = definitions[name] ?? expect.fail("no such command");
    const help = await printed(...name.split(" "), "--help");
    expect(await printed("help", ...name.split(" "))).toBe(help);
    const listed = [...help.matchAll(/^ {2}--([\w-]+)/gm)].map(([, option]) => option);
    expect(listed.toSorted()).toEqual(Object.keys(options).toSorted());
    expect(own.filter((line) => !help.includes(`delivery-evidence ${line}\n`))).toEqual([]);
  });

  it("of a group lists its commands", async () => {
    const help = await printed("keys", "--help");
    expect(help.match(/^ {2}keys \w+/gm)).toEqual(["  keys create", "  keys list", "  keys revoke"]);
  });

  it("tells defaults, variables, values and exit statuses", async () => {
    const serve = await printed("help", "serve");
    expect(serve).toContain("Port to listen on. Default: 8800. Variable:");
    expect(serve).toContain("Values: text, json.");
    expect(serve).toContain("Exit status: 0 after SIGTERM; 1 on failure; 130 after SIGINT.");
  });

  it("puts the options of one kind or type, and those of the connection, below the others", async () => {
    const sections = new Map(
      (await printed("help", "attest"))
        .split("\n\n")
        .map((section) => [
          section.split("\n", 1)[0],
          section.match(/^ {2}--[\w-]+/gm)?.map((name) => name.trim()),
        ]),
    );
    expect([...sections.keys()].filter((heading) => heading?.includes("ptions"))).toEqual([
      ...["Options:", "Options of --kind decision:", "Options of --kind custom:", "Options of --kind jira:"],
      ...["Options of --kind sonar:", "Options of --kind provenance:", "Options of --kind artifact:"],
      ...["Options of --kind pull_request:", "Connection options:"],
    ]);
    expect(sections.get("Options of --kind custom:")).toEqual(["--type-name"]);
    expect(sections.get("Options:")).toContain("--test-results");
    expect(sections.get("Connection options:")).toContain("--base-url");
    expect(await printed("help", "report")).toMatch(/^Options of --type S3:\n {2}--bucket BUCKET /m);
  });

  it("of an operation tells its parameters, fields and files", async () => {
    const help = await printed("call", "attestGeneric", "--help");
    expect(await printed("help", "call", "attestGeneric")).toBe(help);
    for (const text of [
      "Record a generic attestation\n",
      "  flow_name=VALUE ",
      "  attachment_file=FILE ",
      "  is_compliant ",
      "delivery-evidence call attestGeneric flow_name=web trail_name=v1 --body - <<'END'\n",
    ])
      expect(help).toContain(text);
    expect(await printed("help", "call", "listTrails")).toContain("COMPLIANT");
  });

  it.each(Object.keys(operations))("of the operation %s has an example that can be parsed", async (name) => {
    const help = await printed("help", "call", name);
    const [, example = ""] = /^Example:\n {2}delivery-evidence (.*?)(?: <<'END')?$/m.exec(help) ?? [];
    const [, ...args] = shellWords(example);
    expect(parse(args, "call", COMMANDS.call).positionals[0]).toBe(name);
  });

  it.each([
    [["help", "shar"], "Unknown command 'shar'. Did you mean share?"],
    [["--verson"], "Unknown option --verson. Did you mean --version? delivery-evidence --help lists"],
    [["serve", "--hlep"], "Unknown option --hlep. Did you mean --help?\n"],
    [["xyzzy", "--help"], "Unknown command 'xyzzy'. delivery-evidence --help lists the commands"],
    [["help", "keys", "rotate"], "Expected keys create, keys list, or keys revoke, got 'keys rotate'"],
    [["help", "call", "listFlow"], "OPERATION: 'listFlow' does not exist; did you mean listFlows"],
  ])("%j is explained, with status 1", async (args, message) => {
    const { status, stdout, stderr } = await runHere(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`delivery-evidence: ${message}`);
  });
});

describe("an unknown option", () => {
  it.each([
    [["serve", "--databse-url", "x"], "Unknown option --databse-url. Did you mean --database-url"],
    [["share", "badge", "web", "--utnil", "x"], "Unknown option --utnil. Did you mean --until?\n"],
    [["keys", "list", "--jsno"], "Unknown option --jsno\n"],
    [["keys", "list", "-x"], "Unknown option -x\n"],
    [["keys", "list", "--output", "yaml"], "--output must be table or json, got 'yaml'\n"],
    [["keys", "list", "--output"], "--output needs a value: --output FORMAT\n"],
  ])("in %j is explained, with the nearest one", async (args, message) => {
    const { status, stderr } = await runHere(args);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`delivery-evidence: ${message}`),
    });
  });
});

test("the definitions list the values of the interface", () => {
  expect(REGION_NAMES).toEqual(Object.keys(REGIONS));
  expect(ROLE_NAMES).toEqual(ROLES);
  expect(WORKFLOW_ROLE_NAMES).toEqual(WORKFLOW_ROLES);
  expect(COMMANDS.share.args.map((usage) => usage.split(" ")[0])).toEqual(SHARED);
});

test.each(examples)("%s can be parsed", (line) => {
  const words = shellWords(line);
  const name = commandOf(PROGRAM, words) ?? "";
  const definition = definitions[name] ?? expect.fail("no such command");
  expect(() => parse(words.slice(name.split(" ").length), name, definition)).not.toThrow();
});

describe("an example", () => {
  let service: TestService;
  let folder = "";
  beforeAll(async () => {
    service = await startTestService({}, { issuers: [{ url: GITHUB_ISSUER }] });
    service.clock.time = Date.now() / 1000;
    folder = await mkdtemp(join(tmpdir(), "evidence-examples-"));
    await writeFile(join(folder, "body.yml"), "attestation_name: unit\nis_compliant: true\n");
    await writeFile(join(folder, "unit.xml"), "<testsuite/>");
    await pipeline(service).flow("web");
    for (const name of ["v1", "v1.2"]) await pipeline(service).trail("web", name);
  });
  afterAll(async () => {
    await service.dispose();
    await rm(folder, { recursive: true });
  });

  // The others copy or change what tests of their own set up.
  const runnable = examples.filter((line) =>
    /^(keys create|keys list|orgs create|orgs list|call|share|trust|help)/.test(line),
  );

  it.each(runnable)("delivery-evidence %s does what it says", async (line) => {
    const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const local = line
      .replace("./evidence", service.dataFolder)
      .replace(/ acme$/, " another")
      .replace("--org acme", `--org ${ORG}`)
      .replace("2027-01-31", soon)
      .replaceAll(/(body\.yml|unit\.xml|v1\.tar\.gz)/g, join(folder, "$1"));
    const env = {
      EVIDENCE_BASE_URL: service.address,
      EVIDENCE_ORG: ORG,
      EVIDENCE_API_KEY: service.keys.admin,
    };
    const { status, stdout, stderr } = await runHere(shellWords(local), { env });
    expect(status, stderr).toBe(0);
    expect(stdout === "").toBe(line.includes("--output-file"));
  });
});

test("a reader that ends early ends the program without a message", async () => {
  const pipe = '("$0" "$1" --help; echo $? >&2) | true';
  const { stderr } = spawnSync("sh", ["-c", pipe, process.execPath, CLI], { encoding: "utf8" });
  expect(stderr).toBe("141\n");
});
