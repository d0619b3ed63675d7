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
  it("prints a link that leads to what it shows, and says until when", async () => {
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
      stderr: expect.stringMatching(/^It works until 2027-03-01; its id is [0-9a-f-]+\n$/),
    });
    const { status: opened } = await visitor(service).get(stdout.trim());
    expect(opened).not.toBe(303);
    const listed = await runHere(["call", "listShareLinks"], { env });
    expect(JSON.parse(listed.stdout).data).toMatchObject([{ kind: "badge", description: "the README" }]);
  });

  it.each([
    [[], "Say what to show: share trail, share artifact, share environment, share badge (--help shows how)"],
    [
      ["flow", "web"],
      "Say what to show: share trail, share artifact, share environment, share badge (--help shows how)",
    ],
    [["trail", "web"], "Say which trail to show: share trail FLOW TRAIL"],
    [["environment", "prod", "more"], "Say which environment to show: share environment ENVIRONMENT"],
    [["badge", "web", "--until", "soon"], "'soon' is not a date such as 2027-01-31"],
    [["badge", "web", "--until", "2020-01-01"], "The expiry date is in the past"],
  ])("%j is refused with what to say instead", async (args, problem) => {
    const { status, stdout, stderr } = await share(...args);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining(problem),
    });
  });
});
