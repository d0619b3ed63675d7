import { request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import type { ServiceLimits } from "../../../src/service/http/limits.ts";
import { TokenBuckets } from "../../../src/service/http/rate-limits.ts";
import { send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";

const started: TestService[] = [];
afterEach(async () => {
  for (const service of started.splice(0)) await service.dispose();
});

async function limited(limits: Partial<ServiceLimits>) {
  const service = await startTestService(limits);
  started.push(service);
  const ask = async (key: string | null, forwardedFor?: string) => {
    const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
    return await send(service, { path: `/repos/${ORG}`, key, headers });
  };
  return { service, keys: service.keys, ask };
}

describe("requests with one key", () => {
  it("are refused with 429 above the limit, and those with another are not", async () => {
    const { service, keys, ask } = await limited({ keyRate: 3 });
    for (let i = 0; i < 3; i++) expect((await ask(keys.member)).status).toBe(200);
    const { status, body, headers } = await ask(keys.member);
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        code: "limit.key_rate",
        message: "Too many requests with this API key: at most 3 a minute; try again in 20 s",
      },
    });
    expect(headers).toMatchObject({
      "retry-after": "20",
      "x-ratelimit-limit": "3",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": expect.stringMatching(/^\d{10}$/),
    });
    expect(Number(headers["x-ratelimit-reset"]) - Date.parse(String(headers.date)) / 1000).toBeGreaterThan(
      60,
    );
    expect((await ask(keys.reader)).status).toBe(200);
    expect((await send(service, { path: `/repos/${OTHER_ORG}`, key: keys.stranger })).status).toBe(200);
  });
});

describe("requests from one address", () => {
  it("are refused with 429 with any key, except health checks", async () => {
    const { service, keys, ask } = await limited({ addressRate: 2 });
    expect([await ask(keys.member), await ask(null)].map(({ status }) => status)).toEqual([200, 401]);
    const { status, body } = await ask(keys.reader);
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        code: "limit.address_rate",
        message: "Too many requests from your address: at most 2 a minute; try again in 30 s",
      },
    });
    for (let i = 0; i < 3; i++) {
      const { statusCode, body: text } = await request(`${service.address}/ready`, {
        dispatcher: service.dispatcher,
      });
      await text.dump();
      expect(statusCode).toBe(200);
    }
  });

  it("count by the address from a trusted proxy, and never by one from its clients", async () => {
    const { keys, ask } = await limited({ addressRate: 1, trustedProxies: ["10.0.0.0/8", "127.0.0.1"] });
    const statusFrom = async (forwardedFor: string) => (await ask(keys.member, forwardedFor)).status;
    expect(await statusFrom("192.0.2.1")).toBe(200);
    expect(await statusFrom("192.0.2.2")).toBe(200);
    expect(await statusFrom("198.51.100.7, 192.0.2.1"), "made up by the client").toBe(429);
    expect(await statusFrom("192.0.2.3, 10.1.2.3"), "through a second proxy").toBe(200);
    expect(await statusFrom("192.0.2.3")).toBe(429);
    expect(await statusFrom("2001:db8:0:1::1")).toBe(200);
    expect(await statusFrom("2001:db8:0:ffff::2"), "another address of the same network").toBe(429);
    expect(await statusFrom("nonsense"), "which is the proxy itself then").toBe(200);
    expect(await statusFrom("")).toBe(429);
  });

  it("are logged with the address that they count for", async () => {
    const { service, keys, ask } = await limited({ trustedProxies: ["127.0.0.1"] });
    await ask(keys.member, "192.0.2.1");
    expect(service.logged.at(-1)).toContain(" from=192.0.2.1 account=");
  });

  it("trust no proxy unless it is configured", async () => {
    const { keys, ask } = await limited({ addressRate: 1 });
    expect((await ask(keys.member, "192.0.2.1")).status).toBe(200);
    expect((await ask(keys.member, "192.0.2.2")).status).toBe(429);
  });
});

describe("failed logins", () => {
  it("are refused with 429 above the limit, while a valid key from the same address still works", async () => {
    const { keys, ask } = await limited({ failedLoginRate: 2 });
    expect([await ask("wrong"), await ask(null)].map(({ status }) => status)).toEqual([401, 401]);
    const { status, body, headers } = await ask(keys.expired);
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        code: "limit.failed_login_rate",
        message: "Too many failed logins from your address: at most 2 a minute; try again in 30 s",
      },
    });
    expect(headers["retry-after"]).toBe("30");
    expect((await ask(keys.member)).status).toBe(200);
  });
});

describe("a bucket", () => {
  const bucket = (perMinute: number) => {
    const clock = { time: 1_000 };
    const buckets = new TokenBuckets({
      perMinute,
      refusal: "Too many",
      code: "limit.key_rate",
      clock: () => clock.time,
    });
    const taken = (name: string, most = 1_000) => {
      let count = 0;
      try {
        for (; count < most; count++) buckets.take(name);
      } catch {
        // Empty.
      }
      return count;
    };
    return { clock, taken };
  };

  it.each([1, 7, 60, 600])("of %i allows as many at once, and refills within a minute", (perMinute) => {
    const { clock, taken } = bucket(perMinute);
    expect(taken("a")).toBe(perMinute);
    clock.time += 60 / perMinute + 0.001;
    expect(taken("a")).toBe(1);
    clock.time += 3_600;
    expect(taken("a")).toBe(perMinute);
  });

  it("of 0 is never empty", () => {
    expect(bucket(0).taken("a")).toBe(1_000);
  });

  it("is forgotten only when it is full again: beyond ten thousand, new addresses share one", () => {
    const { clock, taken } = bucket(2);
    for (let i = 0; i < 10_000; i++) taken(`other-${i}`);
    expect(taken("other-0"), "however many arrived since").toBe(0);
    expect(taken("a")).toBe(2);
    expect([taken("b"), taken("other-0")], "which has the rest of the shared one").toEqual([0, 0]);
    clock.time += 30.001;
    expect([taken("b"), taken("a")]).toEqual([1, 0]);
    clock.time += 30.001;
    expect([taken("b"), taken("a"), taken("other-0")], "the others are full again").toEqual([2, 2, 2]);
  });
});
