import { expect, onTestFinished, test } from "vitest";
import { runHere } from "../cli/terminal.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { blocksOf, pages } from "./pages.ts";

const page = pages.find(({ path }) => path === "docs/keyless.md") ?? expect.fail("there is no such page");
/** The words of a command of the page, without `npx delivery-evidence`. */
const words = (wanted: string) =>
  blocksOf(page)
    .flatMap(({ text }) => text.split("\n"))
    .find((line) => line.includes(wanted))
    ?.trim()
    .split(" ")
    .slice(2) ?? expect.fail(`no command with ${wanted}`);

test("the command of docs/keyless.md is all that an admin runs", async () => {
  const issuers = [{ url: "https://token.actions.githubusercontent.com" }];
  const service = await startTestService({}, { issuers });
  onTestFinished(() => service.dispose());
  const env = { EVIDENCE_API_KEY: service.keys.admin, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
  expect((await runHere(words("trust github"), { env })).status).toBe(0);
  const { body } = await send(service, { path: `/trust-policies/${ORG}`, key: service.keys.auditor });
  expect(body).toMatchObject([
    {
      name: "acme-web",
      role: "member",
      flows: ["web"],
      environments: ["production"],
      repository: "acme/web",
    },
  ]);
});

test("a key can be equally limited", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  const env = { EVIDENCE_ORG: ORG };
  const command = words("keys create").map((word) => (word === "./evidence" ? service.dataFolder : word));
  const { status, stdout, stderr } = await runHere(command, { env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^de_/);
  const listed = await runHere(["keys", "list", "--data", service.dataFolder], { env });
  expect(listed.stdout).toContain("flows:web");
});
