import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attestations } from "../service/attestation-requests.ts";
import { FP, pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/controls.md");
const policy = blockIn(page, "Require a decision", "yaml").text;
const command = (heading: string) => blockIn(page, heading, "sh").text;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await runCommands(service, command("Controls and decisions"), { role: "admin" });
  await pipeline(service).trail("web", "v1");
  await pipeline(service).artifact("web", "v1");
});
afterAll(() => service.dispose());

const control = (path: string) => send(service, { path: `/controls/${ORG}${path}` });
const isAllowed = async (fingerprint = FP) =>
  (await pipeline(service).assert(fingerprint, "?policy_name=production")).body.compliant;
const decide = (isCompliant: boolean, more: object = {}) =>
  attestations(service).attest(
    "system",
    "web",
    { type_name: "decision", control: "SDLC-7", attestation_data: { is_compliant: isCompliant }, ...more },
    { trail: "v1" },
  );

describe("docs/controls.md", () => {
  test("creates a control, which a policy requires a decision on", async () => {
    expect((await pipeline(service).policy("production", policy)).status).toBe(201);
    expect((await control("/SDLC-7")).body).toMatchObject({
      version: 1,
      policies_referencing: ["production"],
    });
    expect(await isAllowed()).toBe(false);
  });

  test("records and reads a decision", async () => {
    await runCommands(service, command("Record a decision"), { files: { "minutes.txt": "approved" } });
    expect(await isAllowed()).toBe(true);
    const printed = await runCommands(service, command("Read decisions"));
    expect(JSON.parse(printed).decisions).toMatchObject([
      {
        control: "SDLC-7",
        control_version: 1,
        is_compliant: true,
        attestation_name: "release-approval",
        flow_name: "web",
        trail_name: "v1",
        evidence_files: [{ filename: "minutes.txt" }],
      },
    ]);
  });

  test("counts the latest decision of the artifact and of its trail, whatever its name", async () => {
    await decide(false, { artifact_fingerprint: FP });
    expect(await isAllowed()).toBe(false);
    await decide(true);
    expect(await isAllowed()).toBe(true);
    const { override } = attestations(service);
    const overridden = await override(
      "web",
      { original_attestation_type: "system:decision", new_compliance_status: false },
      "v1",
    );
    expect(overridden.status).toBe(200);
    expect(await isAllowed()).toBe(false);
  });

  test("counts a decision about an artifact in its other flows", async () => {
    await pipeline(service).trail("other", "t");
    await pipeline(service).artifact("other", "t");
    await decide(true, { artifact_fingerprint: FP });
    const { body } = await pipeline(service).assert(FP, "?policy_name=production&flow_name=other");
    expect(body.compliant).toBe(true);
  });

  test("creates a version for each change, and keeps an archived control in use", async () => {
    const change = (method: string, path: string, json?: object) =>
      send(service, {
        method,
        path: `/controls/${ORG}/SDLC-7${path}`,
        key: service.keys.admin,
        ...(json && { json }),
      });
    await change("PUT", "", { name: "Changes are approved" });
    await change("POST", "/archive");
    expect((await control("")).body.controls).toEqual([]);
    expect((await control("/SDLC-7")).body).toMatchObject({ version: 3, archived: true });
    expect((await decide(true)).status).toBe(201);
    expect((await pipeline(service).policy("later", policy)).status).toBe(201);
    const [latest] = (await control("/SDLC-7/decisions")).body.decisions;
    expect(latest.control_version).toBe(3);
  });

  test("publishes a decision policy, which the control is bound to and the environment policy requires", async () => {
    await runCommands(service, command("Decision policies"), { role: "admin" });
    await runCommands(service, command("Bind a control to a decision policy"), { role: "admin" });
    expect((await control("/SDLC-7")).body.decision_policy).toBe("release-approved");
    const required = blockIn(page, "Require a decision policy", "yaml").text;
    expect((await pipeline(service).policy("production", required)).status).toBe(200);
    expect(await isAllowed(), "by submitted decisions").toBe(false);
  });

  test("is refused with the codes of the table", async () => {
    const rows = tablesOf(sectionOf(page, "Common errors")).flatMap(({ rows }) => rows);
    const change = { method: "PUT", path: `/controls/${ORG}/SDLC-7`, key: service.keys.admin };
    const responses = [
      await decide(true, { attestation_name: "late" }),
      await send(service, { ...change, json: { decision_policy: "unknown" } }),
      await decide(true, { control: "unknown" }),
      await decide(true, { attestation_data: {} }),
      await pipeline(service).policy("unknown", policy.replace("SDLC-7", "unknown")),
      await send(service, { method: "POST", path: `/controls/${ORG}`, json: { identifier: "x", name: "x" } }),
      await pipeline(service).control({ identifier: "SDLC-7", name: "again" }),
    ];
    expect(responses.map(({ status, body }) => [String(status), body.code])).toEqual(
      rows.map(([status = "", code = ""]) => [status, codeIn(code)[0]]),
    );
  });
});
