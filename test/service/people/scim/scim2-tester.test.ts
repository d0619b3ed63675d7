import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { send } from "../../requests.ts";
import { ORG, startTestService } from "../../running-service.ts";

/** A Python with the packages of `requirements.txt`, which the gate installs where it finds Python. */
const python = process.env["SCIM_PYTHON"];

test.skipIf(python === undefined)("scim2-tester finds only what the service leaves out", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  const json = { description: "tester", provider: "company" };
  const { body } = await send(service, {
    ...{ method: "POST", path: `/scim-tokens/${ORG}`, key: service.keys.admin, json },
  });
  const script = fileURLToPath(new URL("scim2-tester.py", import.meta.url));
  const env = { ...process.env, SCIM_URL: body.url, SCIM_TOKEN: body.token };
  const { stdout } = await promisify(execFile)(python ?? "", [script], { env });
  const { passed, failed } = JSON.parse(stdout);
  expect(passed).toBeGreaterThan(100);
  const titles = failed.map(([title, type]: string[]) => `${title} ${type}`);
  // No client searches all types at once, and no answer but true or false may follow from a removed `active`.
  expect(titles.sort()).toEqual([
    "check_remove_attribute User",
    "search_with_attributes Group",
    "search_with_attributes User",
  ]);
});
