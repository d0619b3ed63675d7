import { describe, expect, onTestFinished, test, vi } from "vitest";
import { call } from "../../src/api/client/call.ts";
import { ApiError, InputError, NetworkError, TimeoutError } from "../../src/api/client/errors.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { connectTo, failureOf } from "./connections.ts";
import { closedPort, httpServer, json, tcpServer } from "./local-server.ts";
import { samples } from "./sample-requests.ts";

const { attestGeneric, listRepos, reportK8S } = operations;
const attestation = samples.attestGeneric.request;
const DUPLICATE = /an earlier attempt may have been recorded/;

/** A server that returns the statuses one after the other, the last one repeatedly. */
function inTurn(...statuses: readonly number[]) {
  return httpServer((response, _, count) => {
    const status = statuses[Math.min(count, statuses.length) - 1] ?? 500;
    json(response, status, status < 300 ? "OK" : { message: `that was number ${count}` });
  });
}

test("a 409 twice and then a 201 is one attestation in three attempts of the same bytes and key", async () => {
  const server = await inTurn(409, 409, 201);
  const { connection, waits } = connectTo(server.url);
  const reply = await call(connection, attestGeneric, attestation);
  expect(reply).toMatchObject({ status: 201, body: "OK", warnings: [] });
  expect(server.received).toHaveLength(3);
  const [first, ...more] = server.received;
  for (const { body, headers } of more) {
    expect(body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(headers["x-request-id"]).toBe(first?.headers["x-request-id"]);
    expect(headers["content-type"]).toBe(first?.headers["content-type"]);
  }
  expect(waits.map(({ attempt, attempts, reason }) => ({ attempt, attempts, reason }))).toEqual([
    { attempt: 1, attempts: 4, reason: "status 409" },
    { attempt: 2, attempts: 4, reason: "status 409" },
  ]);
});

test("a 409 that is final for the operation is one attempt", async () => {
  const server = await inTurn(409);
  const once = { ...attestGeneric, conflictIsFinal: true } as const;
  const error = await failureOf(ApiError, call(connectTo(server.url).connection, once, attestation));
  expect({ status: error.status, sent: server.received.length }).toEqual({ status: 409, sent: 1 });
});

test("a failing service is called exactly once more than the number of retries", async () => {
  const server = await inTurn(500);
  const { connection, waits } = connectTo(server.url, { retries: 4 });
  const error = await failureOf(ApiError, call(connection, listRepos, {}));
  expect(error.message).toContain("that was number 5 (");
  expect({ sent: server.received.length, waits: waits.length }).toEqual({ sent: 5, waits: 4 });
});

test("without retries nothing is sent twice and there is no delay", async () => {
  const server = await inTurn(503);
  const { connection, waits } = connectTo(server.url, { retries: 0 });
  const error = await failureOf(ApiError, call(connection, listRepos, {}));
  expect(error.attempts).toBe(1);
  expect({ sent: server.received.length, waits }).toEqual({ sent: 1, waits: [] });
});

describe("a possibly duplicate record is reported", () => {
  test("when a 5xx came before the success of a POST", async () => {
    const server = await inTurn(500, 201);
    const reply = await call(connectTo(server.url).connection, attestGeneric, attestation);
    expect(reply.warnings).toEqual([expect.stringMatching(DUPLICATE)]);
  });

  test("when the connection broke after the whole request was there", async () => {
    const server = await httpServer((response, _, count) => {
      if (count === 1) response.destroy();
      else json(response, 201, "OK");
    });
    const reply = await call(connectTo(server.url).connection, attestGeneric, attestation);
    expect(reply.warnings).toEqual([expect.stringMatching(DUPLICATE)]);
    expect(server.received).toHaveLength(2);
  });

  test.each([409, 429, 425])("but not when the service refused with %i", async (status) => {
    const server = await inTurn(status, 201);
    const reply = await call(connectTo(server.url).connection, attestGeneric, attestation);
    expect(reply.warnings).toEqual([]);
  });

  test("and never for a PUT, which is idempotent", async () => {
    const server = await inTurn(500, 201);
    const reply = await call(connectTo(server.url).connection, reportK8S, samples.reportK8S.request);
    expect(reply.warnings).toEqual([]);
  });
});

describe("the delay before the next attempt", () => {
  const retryAfter = (seconds: string) =>
    httpServer((response, _, count) =>
      count === 1
        ? json(response, 429, { message: "slow down" }, { "retry-after": seconds })
        : json(response, 201, "OK"),
    );

  test("is at least what the service requests", async () => {
    const server = await retryAfter("7");
    const { connection, waits } = connectTo(server.url);
    await call(connection, attestGeneric, attestation);
    expect(waits).toHaveLength(1);
    expect(waits[0]?.waitMs).toBeGreaterThanOrEqual(7000);
  });

  test("is our own when the service requests less", async () => {
    const server = await retryAfter("0");
    const { connection, waits } = connectTo(server.url);
    await call(connection, attestGeneric, attestation);
    expect(waits[0]?.waitMs).toBeLessThanOrEqual(500);
  });

  test("is skipped when it would exceed the deadline, and the requested delay is reported", async () => {
    const server = await retryAfter("86400");
    const { connection, waits } = connectTo(server.url);
    const error = await failureOf(TimeoutError, call(connection, attestGeneric, attestation));
    expect(error.message).toMatch(
      /^status 429, and the service asks for a wait of 86400 s before the next attempt, but \d+ s of 20 s are left \(/,
    );
    expect({ sent: server.received.length, waits }).toEqual({ sent: 1, waits: [] });
  });

  test("that is our own and exceeds the deadline is not reported as requested by the service", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    onTestFinished(() => void vi.restoreAllMocks());
    const port = await closedPort();
    const { connection, waits } = connectTo(`http://127.0.0.1:${port}`, { timeout: 0.4 });
    const error = await failureOf(TimeoutError, call(connection, listRepos, {}));
    expect(error.message).toMatch(
      /^connection refused, and it takes a wait of 1 s before the next attempt, but /,
    );
    expect(waits).toEqual([]);
  });
});

test("a refused connection is retried and then reported with the number of attempts", async () => {
  const port = await closedPort();
  const { connection, waits } = connectTo(`http://127.0.0.1:${port}`, { retries: 2 });
  const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
  expect([error.code, error.fault]).toEqual(["network.unreachable", "ECONNREFUSED"]);
  expect(error.message).toBe(`connection refused (127.0.0.1:${port}, attestGeneric, 3 attempts)`);
  expect(waits).toHaveLength(2);
});

test("an unknown host name is retried and then reported by its name", async () => {
  const { connection, waits } = connectTo("https://nowhere.invalid", { retries: 1 });
  const error = await failureOf(NetworkError, call(connection, listRepos, {}));
  expect(["ENOTFOUND", "EAI_AGAIN"]).toContain(error.fault);
  expect(error.code).toBe("network.host_unknown");
  expect(error.message).toMatch(
    /^(the host name is unknown|the name server did not answer) \(nowhere\.invalid, listRepos, 2 attempts\)$/,
  );
  expect(waits).toHaveLength(1);
});

test("an invalid request is never retried", async () => {
  const server = await tcpServer(() => {});
  const { connection, waits } = connectTo(server.url);
  await failureOf(InputError, call(connection, attestGeneric, { ...attestation, flowName: ".." }));
  expect({ connections: server.connections(), waits }).toEqual({ connections: 0, waits: [] });
});
