import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/api/resources/operations.ts";
import { recordingServer } from "../actions/recording-server.ts";
import { FP, pipeline } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

let service: TestService;
let folder = "";
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "evidence-call-"));
});
afterAll(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[], { env = {}, input = "", printsToTerminal = false } = {}) =>
  runHere(["call", ...args], {
    env: {
      EVIDENCE_API_KEY: service.keys.member,
      EVIDENCE_ORG: ORG,
      EVIDENCE_BASE_URL: service.address,
      ...env,
    },
    input,
    printsToTerminal,
  });

const fileAt = (name: string) => join(folder, name);

describe("delivery-evidence call", () => {
  it("prints the response as JSON, in the names of the API", async () => {
    const { status, stdout, stderr } = await run(["listRepos", "per_page=7", "provider=github"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ page: 1, per_page: 7, total_count: 0, repos: [] });
  });

  it("calls the hosted service if --region is set, even with a variable for another address", async () => {
    const env = { HTTPS_PROXY: "http://127.0.0.1:9" };
    const { status, stderr } = await run(["listRepos", "--region", "eu", "--retries", "0"], { env });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("app.kosli.com") });
  });

  it("prints a list as a table, with the fields of its page on the standard error", async () => {
    for (const name of ["table-a", "table-b"]) {
      const body = JSON.stringify({ name, description: `of ${name}`, template: ["unit"] });
      expect((await run(["createFlow", "--body", "-"], { input: body })).status).toBe(0);
    }
    const flows = await run(["listFlows", "--output", "table"]);
    const [heading = "", ...rows] = flows.stdout.trim().split("\n");
    expect({ status: flows.status, stderr: flows.stderr }).toEqual({ status: 0, stderr: "" });
    expect(heading).toMatch(/ NAME +DESCRIPTION /);
    expect(rows.filter((row) => / table-([ab]) +of table-\1 /.test(row))).toHaveLength(2);

    const repos = await run(["listRepos", "per_page=7", "--output", "table"]);
    expect(repos.stderr).toBe("page: 1, per_page: 7, total_pages: 0, total_count: 0\n");
    const pages = await run(["listTrails", "--output", "table"]);
    expect(pages.stderr).toMatch(/^total: \d+, page: 1, per_page: 20, page_count: \d+\n$/);

    const flow = await run(["getFlow", "flow_name=table-a", "--output", "table"]);
    expect(flow.stdout).toMatch(/^name +table-a\ndescription +of table-a\n/m);
    expect(await run(["getFlow", "flow_name=table-a", "--output", "json"])).toEqual(
      await run(["getFlow", "flow_name=table-a"]),
    );
  });

  it("prints the times of a table as RFC 3339 in UTC", async () => {
    const created = new Date(service.clock.time * 1000).toISOString().replace(/\.\d+/, "");
    await pipeline(service).attest("timed", "v1", { attestation_name: "unit" });
    const trails = await run(["listFlowTrails", "flow_name=timed", "--output", "table"]);
    expect(trails.stdout).toMatch(new RegExp(` CREATED_AT .*\n.* ${created} `));
    const trail = await run(["getTrail", "flow_name=timed", "trail_name=v1", "--output", "table"]);
    expect(trail.stdout).toMatch(new RegExp(`^created_at +${created}$`, "m"));
  });

  it("prints no control character of a record, and the same JSON all the same", async () => {
    const description = "a\u009b2J\u007f\u202eb\u2066";
    const name = "controls";
    const body = JSON.stringify({ name, description, template: [] });
    expect((await run(["createFlow", "--body", "-"], { input: body })).status).toBe(0);
    const { stdout } = await run(["getFlow", `flow_name=${name}`]);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2066]/u);
    expect(JSON.parse(stdout)).toMatchObject({ description });
  });

  it("accepts a body from a file or from standard input, as JSON or YAML, and files by part", async () => {
    await writeFile(fileAt("flow.yml"), "name: web\ndescription: ''\ntemplate: []\n");
    expect(await run(["createFlow", "--body", fileAt("flow.yml")])).toEqual({
      status: 0,
      stdout: '"OK"\n',
      stderr: "",
    });
    await writeFile(fileAt("a.txt"), "one");
    await writeFile(fileAt("b.txt"), "two");
    const attested = await run(
      [
        "attestGeneric",
        "flow_name=web",
        "trail_name=v1",
        `attachment_file=${fileAt("a.txt")}`,
        `attachment_file=${fileAt("b.txt")}`,
        "--body",
        "-",
      ],
      { input: '{"attestation_name": "unit", "is_compliant": true}' },
    );
    expect(attested).toEqual({ status: 0, stdout: '"OK"\n', stderr: "" });
    const { status } = await pipeline(service).trail("web", "v1");
    expect(status, "the trail existed").toBe(200);
  });

  it("writes a file in the response to standard output, or to the given path", async () => {
    const content = Buffer.from([0, 255, 10, 13, 10]);
    await pipeline(service).attest("files", "v1", { attestation_name: "unit" }, [{ name: "a.bin", content }]);
    const trail = ["flow_name=files", "trail_name=v1"];
    const listed = await run(["listTrailAttestations", ...trail, "attestation_name=unit"]);
    const [record] = JSON.parse(listed.stdout);
    const download = ["downloadEvidence", ...trail, `attestation_id=${record.attestation_id}`];
    expect(await run([...download, "--output-file", fileAt("evidence.bin")])).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
    expect(await readFile(fileAt("evidence.bin"))).toEqual(content);
    expect((await run(download)).stdout).toBe(content.toString("utf8"));
    expect(await run(download, { printsToTerminal: true })).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "delivery-evidence: The response is a binary file, which is not printed to a terminal. Save it with --output-file FILE\n",
    });
    await pipeline(service).attest("files", "v1", { attestation_name: "text" }, [
      { name: "a.txt", content: Buffer.from("fünf\n") },
    ]);
    const texts = await run(["listTrailAttestations", ...trail, "attestation_name=text"]);
    const [{ attestation_id: id }] = JSON.parse(texts.stdout);
    const text = ["downloadEvidence", ...trail, `attestation_id=${id}`];
    expect((await run(text, { printsToTerminal: true })).stdout).toBe("fünf\n");
  });

  it("accepts options before variables", async () => {
    const { status, stderr } = await run(["listRepos", "--org", "nowhere"]);
    expect(status).toBe(1);
    expect(stderr).toContain("Organization 'nowhere' does not exist");
    const elsewhere = await run(["listRepos", "--base-url", service.address], {
      env: { EVIDENCE_BASE_URL: "https://unused.example" },
    });
    expect(elsewhere.status).toBe(0);
  });

  it("warns of a filter that an older service does not know", async () => {
    await using older = await recordingServer([
      {
        status: 200,
        headers: { "x-ignored-parameters": "search" },
        body: { page: 1, per_page: 15, total_pages: 0, total_count: 0, repos: [] },
      },
    ]);
    const { status, stdout, stderr } = await run(["listRepos", "search=web", "--base-url", older.address]);
    expect({ status, total: JSON.parse(stdout).total_count }).toEqual({ status: 0, total: 0 });
    const host = new URL(older.address).host;
    expect(stderr).toBe(
      `warning: ${host} does not know these parameters of listRepos and ignored them: search\n`,
    );
  });

  it("prints the service's error to standard error", async () => {
    const { status, stdout, stderr } = await run(["assertArtifact", `fingerprint=${FP}`]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^delivery-evidence: .* \(.*, assertArtifact, status 404\)/);
  });

  it("reports every invalid field before anything is sent", async () => {
    service.logged.length = 0;
    const { status, stderr } = await run(["createFlow", "--body", "-"], { input: "{}" });
    expect(status).toBe(1);
    for (const field of ["name", "description", "template"])
      expect(stderr).toContain(`  ${field}: is required`);
    expect(service.logged).toEqual([]);
  });

  it.each([
    [["listRepo"], "OPERATION: 'listRepo' does not exist; did you mean listRepos"],
    [
      [],
      "OPERATION is missing. Usage: delivery-evidence call OPERATION [NAME=VALUE…] or delivery-evidence call --list\n",
    ],
    [["listRepos", "page"], "Parameters must be NAME=VALUE, got 'page'"],
    [["listRepos", "pge=1"], "pge: is not a parameter of listRepos, which takes page, per_page"],
    [["listRepos", "page=1", "page=2"], "page: takes only one value"],
    [["listRepos", "--body", "nowhere.json"], "--body: '"],
    [["listRepos", "--body", "-"], "--body: listRepos takes no body"],
    [["listRepos", "--region", "mars"], "--region must be eu or us, got 'mars'"],
    [["listRepos", "--auth-scheme", "digest"], "--auth-scheme must be bearer or basic, got 'digest'"],
    [["listRepos", "--timeout", "soon"], "--timeout: must be more than 0"],
    [["listRepos", "--retries", "1.5"], "--retries: must be a whole number"],
    [
      ["listRepos", "--base-url", "http://h.example"],
      "--base-url: is http://, which would send the key unencrypted; use https://, or set --allow-http\n",
    ],
    [
      ["listRepos", "--base-url", "https://a:b@h.example"],
      "--base-url: must not contain a user or password; set EVIDENCE_API_KEY instead",
    ],
    [["listRepos", "--org", "."], "--org: must be a name, not '.'"],
    [["listRepos", "--nonsense"], "Unknown option --nonsense"],
  ])("%j is explained, with status 1", async (args, message) => {
    const { status, stdout, stderr } = await run(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`delivery-evidence: ${message}`);
  });

  it("names the missing key, organization or address", async () => {
    const key = await run(["listRepos"], { env: { EVIDENCE_API_KEY: "" } });
    expect(key.stderr).toBe(
      "delivery-evidence: Set EVIDENCE_API_KEY to the API key of an account, or run: delivery-evidence login\n",
    );
    const org = await run(["listRepos"], { env: { EVIDENCE_ORG: "" } });
    expect(org.stderr).toBe("delivery-evidence: --org NAME or EVIDENCE_ORG is required\n");
    const address = await run(["listRepos"], { env: { EVIDENCE_BASE_URL: "" } });
    expect(address.stderr).toBe(
      "delivery-evidence: --base-url URL or EVIDENCE_BASE_URL is required, or --region for the hosted service\n",
    );
  });

  it("needs no organization if the key identifies it", async () => {
    const { status, stdout } = await run(["getDefaultOrg"], { env: { EVIDENCE_ORG: "" } });
    expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: { default_org_name: ORG } });
  });

  it("lists every operation", async () => {
    const { status, stdout } = await run(["--list"]);
    expect(status).toBe(0);
    const listed = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(listed).toEqual(Object.keys(operations));
    const asJson = await run(["--list", "--output", "json"]);
    const records: { name: string }[] = JSON.parse(asJson.stdout);
    expect(records.map(({ name }) => name)).toEqual(listed);
    expect(records[0]).toEqual({
      name: listed[0],
      method: expect.any(String),
      path: expect.stringMatching(/^\//),
      summary: expect.any(String),
    });
  });
});
