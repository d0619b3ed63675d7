import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pipeline, type RequestToSend, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).environment("prod");
});
afterAll(() => service.dispose());

const MANY = 100_000;
const many = <T>(item: T) => Array<T>(MANY).fill(item);
const report = (json: object): RequestToSend => ({
  method: "PUT",
  path: `/environments/${ORG}/prod/report/K8S`,
  json: { artifacts: [], ...json },
});
const pullRequest = { url: "", state: "", author: "", title: "", created_at: 1, head_ref: "", commits: [] };
const pod = { podName: "p", namespace: "n", digests: {}, creationTimestamp: 1 };

describe("a body with a hundred thousand errors is answered with 400, a hundred of them and how many more there are", () => {
  it.each<[string, string, RequestToSend]>([
    ["items of a list", "Invalid report data", report({ artifacts: many(7) })],
    [
      "items of a list in a list",
      "Invalid report data",
      report({ artifacts: [{ ...pod, owners: many(1) }] }),
    ],
    [
      "undeclared fields",
      "Invalid report data",
      report(Object.fromEntries(many(0).map((_, i) => [`field-${i}`, i]))),
    ],
    ["invalid texts", "Input payload validation failed", report({ artifacts: many("\0") })],
    [
      "items in a member of a union",
      "Input payload validation failed",
      {
        method: "POST",
        path: `/attestations/${ORG}/web/trail/t1/pull_request`,
        form: {
          attestation_name: "reviews",
          git_provider: "github",
          pull_requests: [{ ...pullRequest, approvers: many(1) }],
        },
      },
    ],
  ])("%s", async (_, message, request) => {
    const { status, body } = await send(service, request);
    expect({ status, message: body.message, listed: Object.keys(body.errors).length }).toEqual({
      status: 400,
      message: `${message}; ${MANY - 100} more errors are not listed`,
      listed: 100,
    });
  });

  it("reports only that there are more beyond the limit", async () => {
    const { body } = await send(service, report({ artifacts: [...many(7), 7, 7] }));
    expect(body.message).toBe(`Invalid report data; more than ${MANY - 100} more errors are not listed`);
  });

  it("lists all of up to a hundred, without a count of more", async () => {
    const { body } = await send(service, report({ artifacts: Array(100).fill(7) }));
    expect([body.message, Object.keys(body.errors)]).toEqual([
      "Invalid report data",
      Array.from({ length: 100 }, (_, i) => `artifacts[${i}]`),
    ]);
  });

  it("does not mention a count for one field with two errors", async () => {
    const { status, body } = await send(service, { path: `/trails/${ORG}/web?page=%ff` });
    expect([status, body.message, Object.keys(body.errors)]).toEqual([
      400,
      "Input payload validation failed",
      ["query.page"],
    ]);
  });
});
