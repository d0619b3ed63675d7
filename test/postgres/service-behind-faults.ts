import { request } from "undici";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { PostgresOptions } from "../../src/service/store/postgres/open-store.ts";
import { unique } from "../conformance/unique.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { type Answered, pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

/** For the tests of a file: a service that reaches its database through a proxy, which is reset after each. */
export function serviceBehindFaults(more: Partial<PostgresOptions> = {}) {
  let url: string;
  let proxy: FaultProxy;
  let service: TestService;
  beforeAll(async () => {
    url = await newDatabase();
    proxy = await startFaultProxy(Number(new URL(url).port));
    service = await startTestService(
      {},
      { database: { url: proxy.through(url), pool: 4, ...more }, preparedBy: url },
    );
    await pipeline(service).flow("web");
    await pipeline(service).trail("web", "t1");
    await pipeline(service).artifact("web", "t1");
  });
  afterEach(async () => {
    proxy.heal();
    await healed();
  });
  afterAll(async () => {
    await service.dispose();
    await proxy.close();
  });

  const write = (name = unique("check"), headers: Record<string, string> = {}) =>
    send(service, {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/t1/generic`,
      form: { attestation_name: name, is_compliant: true },
      headers,
    });
  const watch = async (path: "ready" | "health") => {
    const { statusCode, body } = await request(`${service.address}/${path}`, {
      dispatcher: service.dispatcher,
    });
    return { status: statusCode, text: await body.text() };
  };
  /** Expects that a client that retries as requested succeeds within seconds. */
  async function healed(): Promise<void> {
    await expect.poll(async () => (await write()).status, { interval: 250 }).toBe(201);
    await expect.poll(() => watch("ready"), { interval: 250 }).toEqual({ status: 200, text: "OK" });
  }
  return {
    get url() {
      return url;
    },
    get proxy() {
      return proxy;
    },
    write,
    read: () => send(service, { path: `/flows/${ORG}` }),
    gate: () => pipeline(service).assert(),
    watch,
    healed,
    recorded: async (name: string) =>
      (await askPostgres(url, "select 1 from attestations where name = $1", [name])).length,
    async expectNotReady(why: RegExp): Promise<void> {
      const watched = () => Promise.all([watch("ready"), watch("health")]);
      await expect
        .poll(watched, { interval: 250 })
        .toEqual(Array(2).fill({ status: 503, text: expect.stringMatching(why) }));
      for (const { text } of await watched()) expectNothingInside(text);
    },
  };
}

/** Expects a retryable error without internal details, as the records are temporarily unavailable. */
export function expectUnavailable({ status, headers, body, text }: Answered): void {
  expect({ status, text }).toEqual({ status: 503, text: expect.any(String) });
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(body.message).toBe("The records cannot be read or written right now: try again");
  expectNothingInside(text);
}

function expectNothingInside(text: string): void {
  expect(text).not.toMatch(/127\.0\.0\.1|::1|postgres:|evidence@|select |insert |relation|column|\bat \//i);
}
