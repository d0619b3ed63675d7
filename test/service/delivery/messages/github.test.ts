import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { GITHUB_HEADERS, githubDispatch } from "../../../../src/service/delivery/messages/github.ts";
import { fullPayloads, hostilePayload } from "./hostile-payloads.ts";
import { environmentPayload, flowPayload, keyPayload } from "./payloads.ts";

/** Checks GitHub's limits for a `repository_dispatch`. */
function expectFit(payload: NotificationPayload) {
  const { event_type, client_payload } = githubDispatch(payload);
  expect(event_type).toBe(payload.type);
  expect(event_type.length).toBeLessThanOrEqual(100);
  expect(Object.keys(client_payload).length).toBeLessThanOrEqual(10);
  const body = JSON.stringify(client_payload);
  expect(Buffer.byteLength(body)).toBeLessThan(64 * 1024);
  // Half of a surrogate pair would be written as an escape, which some JSON parsers refuse.
  expect(body).not.toMatch(/\\ud[89a-f]/);
}

describe("a repository_dispatch", () => {
  test("has the event as its payload, and the fields that most workflows need beside it", () => {
    expect(githubDispatch(environmentPayload)).toMatchSnapshot();
    expect(githubDispatch(flowPayload).client_payload.event).toEqual(flowPayload);
    expect(githubDispatch(keyPayload)).toEqual({
      event_type: "api_key.expiring",
      client_payload: { verdict: "EXPIRING", url: keyPayload.api_key.html_url, event: keyPayload },
    });
  });

  test("has the fields that the workflow on the notifications page reads", () => {
    const page = readFileSync(new URL("../../../../docs/notifications.md", import.meta.url), "utf8");
    const read = [...page.matchAll(/\$\{\{ github\.event\.client_payload\.([\w.]+) \}\}/g)].map(
      ([, path = ""]) =>
        path
          .split(".")
          .reduce<unknown>(
            (value, name) =>
              typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined,
            githubDispatch(environmentPayload).client_payload,
          ),
    );
    expect(read).toEqual(["production", "NON-COMPLIANT", environmentPayload.snapshot?.html_url]);
    expect(page).toContain(`types: [${environmentPayload.type}, `);
  });

  test("requests the API version that it is written for, with the user agent that GitHub requires", () => {
    expect(GITHUB_HEADERS).toEqual({
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "user-agent": "delivery-evidence",
    });
  });

  test("keeps GitHub's limits, whatever users wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 300 });
  });

  test.each(fullPayloads)("keeps GitHub's limits when every text is long", expectFit);
});
