import { afterAll, beforeAll, expect, test } from "vitest";
import { ROLES } from "../../../../src/api/resources/service-accounts.ts";
import { byParameters, crawl } from "../../pages/crawl.ts";
import { filledService } from "../../pages/filled.ts";
import { signedIn } from "../../pages/visitor.ts";
import { send } from "../../requests.ts";
import { ORG, type TestService } from "../../running-service.ts";

/* A user limited to one flow and one environment finds no broken link. */

let service: TestService;
beforeAll(async () => {
  service = await filledService();
});
afterAll(() => service.dispose());

async function keyOf(role: string, scope: object): Promise<string> {
  const asAdmin = { method: "POST", key: service.keys.admin };
  const path = `/service-accounts/${ORG}`;
  const name = `${role}-scoped`;
  await send(service, { ...asAdmin, path, json: { name, privilege: role } });
  const json = { description: "for one flow", ...scope };
  return (await send(service, { ...asAdmin, path: `${path}/${name}/api-keys`, json })).body.key;
}

test.each(ROLES)("every link leads a scoped %s to a page", async (role) => {
  // `all` is a logical environment, with other members.
  const key = await keyOf(role, { flows: ["web"], environments: ["all"] });
  const pages = await crawl(await signedIn(service, key), "/", byParameters);
  const missing = pages.filter(({ status }) => ![200, 302, 303].includes(status));
  expect(missing.map(({ path, from, status }) => `${status} ${path} (from ${from})`)).toEqual([]);
  expect(pages.length).toBeGreaterThan(50);
});
