import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./bundle-run.ts";
import { annotationsIn } from "./sent-attestations.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const attest = (
  inputs: Record<string, string>,
  files: Record<string, string> = {},
  baseUrl = service.address,
) =>
  runHere("attest", {
    inputs: { org: ORG, "base-url": baseUrl, "api-key": service.keys.member, summary: "false", ...inputs },
    files,
  });
const flows = async () =>
  (await send(service, { path: `/flows/${ORG}` })).body.map(({ name }: { name: string }) => name);

describe("a missing flow", () => {
  test("is created with a warning that names the flow and create-flow", async () => {
    const inputs = { flow: "pyaments", name: "reviews", compliant: "true" };
    const run = await attest(inputs);
    expect(run.status).toBe(0);
    expect(annotationsIn(run.stdout, "warning")).toEqual([
      expect.stringMatching(
        /^::warning::Flow 'pyaments' did not exist, so the service created it.*create-flow: false/,
      ),
    ]);
    const another = await attest({ ...inputs, name: "tests" });
    expect(annotationsIn(another.stdout, "warning")).toEqual([]);
  });

  test("fails the step with create-flow: false, before anything is recorded", async () => {
    const run = await attest({ flow: "web", name: "reviews", compliant: "true", "create-flow": "false" });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("flow: 'web' was not found, and create-flow is false");
    const entries =
      "- { name: a, flow: pyaments, compliant: true }\n- { name: b, flow: web, compliant: true }\n";
    const listed = await attest({ "create-flow": "false", manifest: "m.yml" }, { "m.yml": entries });
    expect(listed.status).toBe(1);
    expect(await flows()).not.toContain("web");
    const { body } = await send(service, { path: `/attestations/${ORG}` });
    expect(JSON.stringify(body)).not.toContain('"a"');
  });

  test("is not looked up when the service is unavailable and on-unavailable is warn", async () => {
    const inputs = { flow: "web", name: "reviews", compliant: "true", "create-flow": "false", retries: "0" };
    const run = await attest({ ...inputs, "on-unavailable": "warn" }, {}, "http://127.0.0.1:1");
    expect(run).toMatchObject({ status: 0, outputs: { status: "skipped" } });
  });
});
