import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visitor } from "../service/pages/visitor.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { runHere } from "./terminal.ts";

let service: TestService;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  env = { EVIDENCE_API_KEY: service.keys.member, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
  await runHere(["call", "createFlow", "--body", "-"], {
    env,
    input: '{ "name": "web", "description": "", "template": [] }',
  });
});
afterAll(() => service.dispose());

const share = (...args: string[]) => runHere(["share", ...args], { env });

describe("delivery-evidence share", () => {
  it("prints a link to the shared page, and its expiry", async () => {
    const { status, stdout, stderr } = await share(
      "badge",
      "web",
      "--until",
      "2027-03-01",
      "--for",
      "the README",
    );
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Created link [0-9a-f-]+, which expires on 2027-03-01\n$/),
    });
    const { status: opened } = await visitor(service).get(stdout.trim());
    expect(opened).not.toBe(303);
    const listed = await runHere(["call", "listShareLinks"], { env });
    expect(JSON.parse(listed.stdout).data).toMatchObject([{ kind: "badge", description: "the README" }]);
  });

  it.each([
    [
      [],
      "Expected share trail FLOW TRAIL, share artifact FLOW FINGERPRINT, share environment ENVIRONMENT, or share badge FLOW",
    ],
    [
      ["flow", "web"],
      "Expected share trail FLOW TRAIL, share artifact FLOW FINGERPRINT, share environment ENVIRONMENT, or share badge FLOW",
    ],
    [["trail", "web"], "TRAIL is missing. Usage: delivery-evidence share trail FLOW TRAIL"],
    [["environment", "prod", "more"], "Unexpected argument 'more'"],
    [["badge", "web", "--until", "soon"], "--until must be a date such as 2027-01-31, got 'soon'"],
    [["badge", "web", "--until", "2020-01-01"], "--until must be in the future, got '2020-01-01'"],
  ])("%j is refused with what to say instead", async (args, problem) => {
    const { status, stdout, stderr } = await share(...args);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining(problem),
    });
  });
});
