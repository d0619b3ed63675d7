import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { EvidenceClient, items, type PagedOperation, pages } from "../../../src/index.ts";
import { pipeline } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let client: EvidenceClient;
/** Five of each, so that pages of two leave a last one that is not full, and pages of five an exact one. */
const NUMBERS = [1, 2, 3, 4, 5];

beforeAll(async () => {
  service = await startTestService();
  client = new EvidenceClient({ apiKey: service.keys.admin, org: ORG, baseUrl: service.address, retries: 0 });
  const make = pipeline(service);
  await make.environment("production");
  for (const number of NUMBERS) {
    service.clock.time += 60;
    const repo = { name: `acme/r${number}`, url: `https://git.example/r${number}`, id: `${number}` };
    await make.flow(`flow-${number}`);
    await make.trail("flow-1", `trail-${number}`, { repo_info: repo });
    await make.artifact("flow-1", `trail-${number}`, { fingerprint: `${number}`.repeat(64) });
    await make.attest("flow-1", `trail-${number}`, { attestation_name: "unit" });
    await make.report("production", [
      { podName: "web", namespace: "n", digests: { web: `${number}`.repeat(64) }, creationTimestamp: number },
    ]);
  }
});
afterAll(async () => {
  await client.close();
  await service.dispose();
});

/** The pages as the numbers of their items, and the number of requests. */
async function walked<Name extends PagedOperation>(name: Name, request: Parameters<typeof pages<Name>>[2]) {
  service.logged.length = 0;
  const found: unknown[] = [];
  for await (const item of items(client, name, request)) found.push(item);
  return {
    count: found.length,
    distinct: new Set(found.map((f) => JSON.stringify(f))).size,
    requests: service.logged.length,
  };
}

describe("the items of a list", () => {
  it("in an envelope come over all its pages, in the order of the service", async () => {
    const names: string[] = [];
    for await (const repo of items(client, "listRepos", { perPage: 2 })) {
      expectTypeOf(repo.name).toEqualTypeOf<string>();
      names.push(repo.name);
    }
    expect(names).toEqual(NUMBERS.map((number) => `acme/r${number}`));
  });

  it.each([
    ["in an envelope", () => walked("listRepos", { perPage: 2 })],
    ["in data with a pagination", () => walked("listFlows", { perPage: 2 })],
    [
      "in data with a pagination or in an array",
      () => walked("listFlowTrails", { flowName: "flow-1", perPage: 2 }),
    ],
    ["in an array", () => walked("listArtifacts", { perPage: 2 })],
    ["behind a cursor", () => walked("listAttestations", { name: "unit", perPage: 2 })],
  ])("%s come once each, in one request per page", async (_, walk) => {
    expect(await walk()).toEqual({ count: 5, distinct: 5, requests: 3 });
  });

  it("counted in headers come once each, in one request per page", async () => {
    const { count, distinct, requests } = await walked("listEnvironmentEvents", {
      envName: "production",
      perPage: 2,
    });
    expect(count).toBeGreaterThanOrEqual(5);
    expect({ distinct, requests }).toEqual({ distinct: count, requests: Math.ceil(count / 2) });
  });

  it.each([
    ["in an envelope", () => walked("listRepos", { perPage: 5 })],
    ["in data with a pagination", () => walked("listFlows", { perPage: 5 })],
    ["behind a cursor", () => walked("listAttestations", { name: "unit", perPage: 5 })],
  ])("%s that fill the last page need no further request", async (_, walk) => {
    expect(await walk()).toEqual({ count: 5, distinct: 5, requests: 1 });
  });

  it("in an array that fill the last page need one further request, since nothing else shows the end", async () => {
    expect(await walked("listArtifacts", { perPage: 5 })).toEqual({ count: 5, distinct: 5, requests: 2 });
  });

  it("are fetched by fifty by default, which every list allows", async () => {
    expect(await walked("listRepos", {})).toMatchObject({ count: 5, requests: 1 });
    expect(service.logged[0]).toMatch(/GET \/api\/v2\/repos\/acme 200/);
    expect(await walked("listEnvironments", {})).toMatchObject({ count: 1, requests: 1 });
    expect(await walked("listControls", {})).toMatchObject({ count: 0, requests: 1 });
    expect(await walked("listApprovals", { flowName: "flow-1" })).toMatchObject({ count: 0, requests: 1 });
    expect(await walked("listSnapshots", { envName: "production" })).toMatchObject({ count: 5, requests: 1 });
    expect(await walked("listTrails", {})).toMatchObject({ count: 5, requests: 1 });
    expect(await walked("listFlowAttestations", { flowName: "flow-1" })).toMatchObject({
      count: 5,
      requests: 1,
    });
  });

  it("are none in an empty list", async () => {
    expect(await walked("listRepos", { name: "nobody/nothing" })).toEqual({
      count: 0,
      distinct: 0,
      requests: 1,
    });
    expect(await walked("listAttestations", { name: "nothing" })).toEqual({
      count: 0,
      distinct: 0,
      requests: 1,
    });
  });

  it("keep the filters on every page", async () => {
    const found = [];
    for await (const record of items(client, "listTrails", { flow: "flow-1", perPage: 1 }))
      found.push(record);
    expect(found).toHaveLength(5);
  });
});

describe("the pages of a list", () => {
  it("are requested only when they are needed", async () => {
    service.logged.length = 0;
    for await (const { body } of pages(client, "listRepos", { perPage: 1 })) {
      expect(body.totalCount).toBe(5);
      break;
    }
    expect(service.logged).toHaveLength(1);
  });

  it("begin where the caller says", async () => {
    const seen: number[] = [];
    for await (const { body } of pages(client, "listRepos", { perPage: 2, page: 2 })) seen.push(body.page);
    expect(seen).toEqual([2, 3]);
  });

  it("end with the error of a failing page", async () => {
    const walk = walked("listFlowTrails", { flowName: "nowhere" });
    await expect(walk).rejects.toMatchObject({ status: 404 });
  });
});
