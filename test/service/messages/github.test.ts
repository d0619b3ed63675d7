import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationPayload } from "../../../src/api/notification-payload.ts";
import { githubDispatch } from "../../../src/service/messages/github.ts";
import { fullPayloads, hostilePayload } from "./hostile-payloads.ts";
import { environmentPayload } from "./payloads.ts";

function expectFit(payload: NotificationPayload) {
  const { body } = githubDispatch(payload);
  expect(body.event_type.length).toBeLessThanOrEqual(100);
  expect(Object.keys(body.client_payload).length).toBeLessThanOrEqual(10);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64_000);
}

describe("a repository_dispatch", () => {
  test("has the event, and beside it what workflows ask for", () => {
    expect(githubDispatch(environmentPayload)).toMatchSnapshot();
    expect(githubDispatch(environmentPayload).body.client_payload["event"]).toEqual(environmentPayload);
  });

  test("keeps GitHub's limits, whatever users wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 200 });
  });

  test.each(fullPayloads)("keeps GitHub's limits when every text is long", expectFit);
});
