import { afterAll, beforeAll, expect, it } from "vitest";
import { pipeline } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { signedIn, type Visitor } from "../visitor.ts";

let service: TestService;
let reader: Visitor;
beforeAll(async () => {
  service = await startTestService();
  reader = await signedIn(service, service.keys.reader);
  await pipeline(service).flow("web");
  for (const name of ["v1", "v2", "v3"]) await pipeline(service).trail("web", name);
});
afterAll(() => service.dispose());

const page = async (query: string) => reader.get(`/${ORG}/population${query}`);
const PERIOD = "from=2027-01-01&to=2027-12-31";

it("leads from a flow to its population, a sample and the package", async () => {
  expect((await reader.get(`/${ORG}/flows/web`)).text).toContain(`/${ORG}/population?flow=web`);
  expect((await page("")).text).toContain('name="seed"');
  expect((await page("?flow=web")).text, "the last 90 days").toContain("3 members in the period");
  const { text } = await page(`?flow=web&${PERIOD}&n=2&seed=s`);
  expect(text).toContain("3 members in the period");
  const [, address = ""] = /href="([^"]*population\/package[^"]*)"/.exec(text) ?? [];
  const { status, headers } = await reader.get(address.replaceAll("&amp;", "&"));
  expect([status, headers["content-disposition"]]).toEqual([
    200,
    expect.stringContaining("web-population.tgz"),
  ]);
});

it("explains a refused question", async () => {
  const { status, text } = await page(`?flow=none&${PERIOD}`);
  expect([status, text]).toEqual([400, expect.stringContaining("none")]);
});
