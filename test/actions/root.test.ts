import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readOutputs } from "../github/outputs-file.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runActionBundle, runActionHere } from "./action-here.ts";
import { recordingServer } from "./recording-server.ts";

let service: TestService;
let workspace = "";
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "root-action-"));
});
afterEach(() => rm(workspace, { recursive: true }));

/** Runs the action as the runner does: an input is a variable, and one left empty is an empty variable. */
async function run(inputs: Record<string, string>, env: Record<string, string> = {}, by = runActionHere) {
  const given = {
    "api-key": service.keys.member,
    org: ORG,
    "base-url": service.address,
    params: "",
    body: "",
    retries: "0",
    ...inputs,
  };
  const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const output = join(workspace, "outputs");
  await writeFile(output, "");
  const ended = await by(
    "root",
    {
      ...Object.fromEntries(variables),
      GITHUB_OUTPUT: output,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: workspace,
      ...env,
    },
    workspace,
  );
  return { ...ended, outputs: readOutputs(await readFile(output, "utf8")) };
}

describe("the root action", () => {
  test("calls an operation by its name and returns the response with the API's names", async () => {
    const inputs = { operation: "listRepos", params: "provider: github\nper_page: 7\nname: ''" };
    const { status, outputs, stderr } = await run(inputs, {}, runActionBundle);
    expect({ status, stderr, code: outputs["status-code"] }).toEqual({ status: 0, stderr: "", code: "200" });
    const result: unknown = JSON.parse(outputs["result"] ?? "");
    expect(result).toMatchObject({ page: 1, per_page: 7, total_count: 0, repos: [] });
    expect(JSON.parse(await readFile(outputs["result-file"] ?? "", "utf8"))).toEqual(result);
  });

  test("warns about a filter that an older service does not support", async () => {
    await using older = await recordingServer([
      {
        status: 200,
        headers: { "x-ignored-parameters": "search" },
        body: { page: 1, per_page: 15, total_pages: 0, total_count: 0, repos: [] },
      },
    ]);
    const inputs = { operation: "listRepos", params: "search: web", "base-url": older.address };
    const { status, stdout } = await run(inputs);
    const host = new URL(older.address).host;
    expect(status).toBe(0);
    expect(stdout).toContain(
      `::warning::${host} does not know these parameters of listRepos and ignored them: search\n`,
    );
  });

  test.each([
    ["YAML", 'flow_name: 1.10\ntrail_name: "007"\n'],
    ["JSON", '{"flow_name": "1.10", "trail_name": "007"}'],
  ])("accepts parameters as %s, keeps them as text, and sends files as parts", async (_, params) => {
    await writeFile(join(workspace, "a.txt"), "one");
    await writeFile(join(workspace, "b.txt"), "two");
    const files = params.startsWith("{")
      ? `${params.slice(0, -1)}, "attachment_file": ["a.txt", "b.txt"]}`
      : `${params}attachment_file: [a.txt, b.txt]`;
    const { status, outputs } = await run({
      operation: "attestGeneric",
      params: files,
      body: "attestation_name: unit\nis_compliant: true\nuser_data: {id: 9007199254740993, version: 1.10}",
    });
    expect({ status, outputs }).toMatchObject({
      status: 0,
      outputs: { result: '"OK"', "status-code": "201" },
    });
    const flow = pipeline(service);
    const created = await flow.trail("1.10", "007");
    expect(created.status, "the trail was there").toBe(200);
    const recorded = await send(service, { path: `/attestations/${ORG}/1.10` });
    expect(recorded.text).toContain('"user_data":{"id":9007199254740993,"version":1.10}');
  });

  test("reads a body from a file of the workspace", async () => {
    await writeFile(join(workspace, "flow.yml"), "name: from-file\ndescription: ''\ntemplate: []\n");
    const { status, outputs } = await run({ operation: "createFlow", body: "flow.yml" });
    expect({ status, code: outputs["status-code"] }).toEqual({ status: 0, code: "201" });
  });

  test("writes a downloaded file under a unique name", async () => {
    const make = pipeline(service);
    await make.attest("files", "v1", { attestation_name: "unit" }, [
      { name: "report.txt", content: "one\ntwo" },
    ]);
    const asked = `flow_name: files\ntrail_name: v1\nattestation_name: unit`;
    const listed = await run({ operation: "listTrailAttestations", params: asked });
    const [record] = JSON.parse(listed.outputs["result"] ?? "[]");
    const { status, outputs } = await run({
      operation: "downloadEvidence",
      params: `flow_name: files\ntrail_name: v1\nattestation_id: ${record.attestation_id}`,
    });
    expect(status).toBe(0);
    expect(JSON.parse(outputs["result"] ?? "")).toEqual({
      name: "report.txt",
      media_type: "text/plain",
      size: 7,
    });
    const path = outputs["result-file"] ?? "";
    expect(await readFile(path, "utf8")).toBe("one\ntwo");
    expect(dirname(path)).toBe(workspace);
    expect(path).not.toContain("report");
  });

  test("masks a new API key before it sets any output", async () => {
    const body = "name: root-action-test";
    const admin = { "api-key": service.keys.admin };
    expect((await run({ ...admin, operation: "createServiceAccount", body })).status).toBe(0);
    const made = await run({
      ...admin,
      operation: "createApiKey",
      params: "name: root-action-test",
      body: "description: for a test",
    });
    const { key } = JSON.parse(made.outputs["result"] ?? "{}");
    expect(key).toMatch(/^de_/);
    expect(made.stdout).toContain(`::add-mask::${key}\n`);
    expect(made.stdout.replaceAll(`::add-mask::${key}`, "")).not.toContain(key);
  });

  test("masks an access token before it sets any output", async () => {
    const token = `det_${"x".repeat(43)}`;
    const body = { id: "1", key: "a short one", description: "d", created_at: 1, expires_at: 0 };
    await using other = await recordingServer([{ status: 201, body: { ...body, access_token: token } }]);
    const { stdout, outputs } = await run({
      "base-url": other.address,
      operation: "createApiKey",
      params: "name: ci",
      body: "description: d",
    });
    expect(outputs["result"]).toContain(token);
    expect(stdout).toContain(`::add-mask::${token}\n`);
    expect(stdout.replaceAll(`::add-mask::${token}`, "")).not.toContain(token);
  });

  test("fails with the service's message when it rejects a request", async () => {
    const { status, stdout, outputs } = await run({
      operation: "getArtifactAttestation",
      params: "{flow_name: nowhere, fingerprint: abcdef, attestation_name: unit}",
    });
    expect(status).toBe(1);
    expect(outputs).toEqual({ result: "", "result-file": "", "status-code": "404" });
    expect(stdout.match(/^::error /gm)).toHaveLength(1);
    expect(stdout).toMatch(/^Request [0-9a-f-]{36}$/m);
  });

  test.each([
    ["listRepo", "operation: 'listRepo' does not exist; did you mean listRepos"],
    ["attestgeneric", "did you mean attestGeneric"],
    ["zzzzzzzzzz", "operation: 'zzzzzzzzzz' does not exist\n"],
  ])("suggests the nearest operations for %s", async (operation, said) => {
    const { status, stdout, outputs } = await run({ operation });
    expect(status).toBe(1);
    expect(stdout.replaceAll("%0A", "\n")).toContain(said);
    expect(outputs).toEqual({ result: "", "result-file": "", "status-code": "" });
  });

  test.each([
    [{ params: "page: 1\nname: [a, b]" }, "name: takes only one value"],
    [{ params: "org: other" }, "org: is not a parameter: set the option or input `org`"],
    [{ params: "- page" }, "params: must be a mapping of names to values"],
    [{ params: "page: {a: 1}" }, "params: 'page' must be text"],
    [{ params: "perpage: 3" }, "perpage: is not a parameter of listRepos, which takes page, per_page"],
    [{ params: "a: [" }, "params: line 1, column"],
    [{ params: "page: none" }, "page: must be a whole number, not 'none'"],
    [{ params: "missing.yml" }, "params: 'missing.yml' does not exist"],
    [{ body: "a: 1" }, "body: listRepos takes no body"],
  ])("rejects %j before any request", async (inputs, said) => {
    service.logged.length = 0;
    const { status, stdout } = await run({ operation: "listRepos", ...inputs });
    expect(status).toBe(1);
    expect(stdout).toContain(said);
    expect(service.logged).toEqual([]);
  });

  test("rejects files outside the workspace", async () => {
    await symlink("/etc/passwd", join(workspace, "link.txt"));
    const { status, stdout } = await run({
      operation: "attestGeneric",
      params: "{flow_name: web, trail_name: v1, attachment_file: link.txt}",
      body: "{attestation_name: unit, is_compliant: true}",
    });
    expect(status).toBe(1);
    expect(stdout).toContain("attachment_file: 'link.txt' is outside the workspace");
  });

  test("sends nothing in a dry run, and hides the secrets of the request", async () => {
    service.logged.length = 0;
    const hook = "https://hooks.example/services/s3cr3t-path";
    const { status, stdout, outputs } = await run({
      operation: "createFlow",
      body: `{name: dry, description: "", template: [], webhook: "${hook}"}`,
      "dry-run": "true",
    });
    expect({ status, code: outputs["status-code"] }).toEqual({ status: 0, code: "" });
    expect(stdout.indexOf(`::add-mask::${hook}\n`)).toBeGreaterThan(-1);
    expect(stdout.indexOf(`::add-mask::${hook}\n`)).toBeLessThan(stdout.indexOf("::group::Dry run"));
    expect(service.logged).toEqual([]);
  });

  test("does not run outside of a workflow", async () => {
    const { stdout } = await runActionBundle("root", {}, workspace);
    expect(stdout).toContain("The variable INPUTS is not set");
  });
});
