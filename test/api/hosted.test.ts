import nock from "nock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { samples } from "./sample-requests.ts";

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

const HOSTS = { eu: "https://app.kosli.com", us: "https://app.us.kosli.com" } as const;

test.each(["eu", "us"] as const)("calls the hosted service of the region %s", async (region) => {
  const scope = nock(HOSTS[region], {
    reqheaders: { authorization: "Bearer de_key", "user-agent": /^delivery-evidence\// },
  })
    .get("/api/v2/trails/acme/web/v1")
    .reply(403, { message: "You don't have permission to access this resource" });
  const client = new EvidenceClient({ apiKey: "de_key", org: "acme", region });
  await expect(client.getTrail({ flowName: "web", trailName: "v1" })).rejects.toThrow(
    `(${new URL(HOSTS[region]).host}, getTrail, status 403)`,
  );
  expect(scope.isDone()).toBe(true);
  await client.close();
});

test("the same submission is sent again under the same idempotency key, a new one under a new key", async () => {
  const keys: string[] = [];
  const remember = (key: string | null) => keys.push(key ?? "") > 0;
  const service = nock(HOSTS.eu, { reqheaders: { "idempotency-key": remember } });
  service.post(/generic$/).reply(503, { message: "busy" });
  service
    .post(/generic$/)
    .twice()
    .reply(201, '"OK"');
  const client = new EvidenceClient({ apiKey: "de_key", org: "acme", region: "eu", pause: async () => {} });
  await client.attestGeneric(samples.attestGeneric.request);
  await client.attestGeneric(samples.attestGeneric.request);
  await client.close();
  expect(new Set(keys).size).toBe(2);
  expect(nock.isDone()).toBe(true);
});
