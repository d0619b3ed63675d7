import { beforeEach, describe, expect, it } from "vitest";
import { pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { workflowToken } from "../../workflow-token.ts";

/* A repository record belongs to the organization: an account that may attest in a flow must not change what others read. */

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  const { flow, attest } = pipeline(service);
  await flow("web");
  await flow("pay");
  for (const [name, id] of Object.entries(KNOWN))
    await attest("pay", "t1", { repo_info: repo(name, { id }) });
  return () => service.dispose();
});

const KNOWN = { "acme/old": "4711", "acme/pay": "9" };
const repo = (name: string, more: object = {}) => ({ name, url: `https://github.example/${name}`, ...more });
/** The public fields of the repositories. */
const listed = async () => {
  const { body } = await pipeline(service).repos();
  const repos: Record<string, string | null>[] = body.repos;
  return repos.map(({ name, url, repo_id, description }) => ({ name, url, repo_id, description }));
};
const asAttested = (name: string, repo_id: string | null, more: object = {}) => ({
  ...repo(name),
  repo_id,
  description: null,
  ...more,
});

async function attesterOf(flows: readonly string[]): Promise<string> {
  const asAdmin = { method: "POST", key: service.keys.admin };
  const account = { name: "attester", privilege: "attester" };
  await send(service, { ...asAdmin, path: `/service-accounts/${ORG}`, json: account });
  const json = { description: "for CI", flows };
  const path = `/service-accounts/${ORG}/attester/api-keys`;
  return (await send(service, { ...asAdmin, path, json })).body.key;
}

async function attest(key: string, repoInfo: object): Promise<void> {
  expect((await pipeline(service, key).attest("web", "t1", { repo_info: repoInfo })).status).toBe(201);
}

describe("a known repository keeps its name, its address and its description", () => {
  const others = [
    ["another name and address", { id: "9", name: "mallory/pay", url: "https://mallory.example/" }],
    ["another address under its name", { name: "acme/pay", url: "https://github.example/mallory" }],
    ["another description", repo("acme/pay", { id: "9", description: "Pay here" })],
  ] as const;

  it.each(others)("when a key for another flow sends %s", async (_, change) => {
    await attest(await attesterOf(["web"]), change);
    expect(await listed()).toEqual([asAttested("acme/old", "4711"), asAttested("acme/pay", "9")]);
  });

  it.each(others)("when a workflow of another repository sends %s", async (_, change) => {
    await attest(await workflowToken(service), change);
    expect(await listed()).toEqual([asAttested("acme/old", "4711"), asAttested("acme/pay", "9")]);
  });

  it("when its own workflow sends what its token does not claim", async () => {
    await attest(await workflowToken(service, ["web"]), repo("acme/bank", { id: "4711" }));
    await attest(await workflowToken(service, ["web"]), {
      ...repo("acme/web", { id: "4711" }),
      url: "https://mallory.example/acme/web",
    });
    expect(await listed()).toEqual([asAttested("acme/old", "4711"), asAttested("acme/pay", "9")]);
  });
});

it("a repository is renamed by its own workflow, and by an unlimited key", async () => {
  await attest(await workflowToken(service, ["web"]), repo("acme/web", { id: "4711", description: "Shop" }));
  await attest(service.keys.member, repo("acme/payments", { id: "9" }));
  expect(await listed()).toEqual([
    asAttested("acme/payments", "9"),
    asAttested("acme/web", "4711", { description: "Shop" }),
  ]);
});

it("an unknown repository is captured from anyone who may attest", async () => {
  await attest(await attesterOf(["web"]), repo("acme/new", { id: "12", description: "New" }));
  expect(await listed()).toContainEqual(asAttested("acme/new", "12", { description: "New" }));
});
