import { describe, expect, test } from "vitest";
import { authorizationOf, connect } from "../../../src/api/client/connection.ts";
import type { ConnectionOptions } from "../../../src/api/client/connection-options.ts";
import { InputError, type InputProblem } from "../../../src/api/client/errors.ts";
import { connectTo, failureOf, KEY } from "../connections.ts";

function problemsOf(options: Partial<ConnectionOptions>): readonly InputProblem[] {
  try {
    connect({ apiKey: KEY, org: "acme", region: "eu", ...options });
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  return [];
}

function baseUrlOf(options: Partial<ConnectionOptions>): string {
  return connect({ apiKey: KEY, org: "acme", ...options }).baseUrl;
}

describe("the base address", () => {
  test.each([
    ["https://h.example", "https://h.example/api/v2"],
    ["https://h.example/", "https://h.example/api/v2"],
    ["https://h.example///", "https://h.example/api/v2"],
    ["https://h.example/api/v2", "https://h.example/api/v2"],
    ["https://h.example/api/v2/", "https://h.example/api/v2"],
    ["https://h.example//api//v2//", "https://h.example/api/v2"],
    ["https://h.example/api/v2/api/v2", "https://h.example/api/v2"],
    ["https://h.example/evidence", "https://h.example/evidence/api/v2"],
    ["https://h.example/evidence//api/v2", "https://h.example/evidence/api/v2"],
    ["https://h.example/my-api/v2", "https://h.example/my-api/v2/api/v2"],
    ["HTTPS://H.Example:443", "https://h.example/api/v2"],
    ["https://h.example:8443/", "https://h.example:8443/api/v2"],
    [" https://h.example\n", "https://h.example/api/v2"],
    ["http://localhost:8800", "http://localhost:8800/api/v2"],
    ["http://127.0.0.1:8800/", "http://127.0.0.1:8800/api/v2"],
    ["http://127.1", "http://127.0.0.1/api/v2"],
    ["http://[::1]:8800", "http://[::1]:8800/api/v2"],
  ])("given as '%s' is %s", (baseUrl, expected) => {
    expect(baseUrlOf({ baseUrl })).toBe(expected);
  });

  test.each([
    [{ region: "eu" }, "https://app.kosli.com/api/v2"],
    [{ region: "us" }, "https://app.us.kosli.com/api/v2"],
    [{ region: "us", baseUrl: " " }, "https://app.us.kosli.com/api/v2"],
    [{ region: "us", baseUrl: "https://h.example" }, "https://h.example/api/v2"],
  ] as const)("for %o is %s", (options, expected) => {
    expect(baseUrlOf(options)).toBe(expected);
  });

  test("is required, or a region", () => {
    expect(() => connect({ apiKey: KEY, org: "acme" })).toThrow("base-url: is missing");
  });

  test.each([
    ["h.example", "complete address"],
    ["/api/v2", "complete address"],
    ["https://", "complete address"],
    ["file:///etc/passwd", "https://"],
    ["javascript:alert(1)", "https://"],
    ["ws://h.example", "https://"],
    ["https://user:pass@h.example", "user or password"],
    ["https://user@h.example", "user or password"],
    ["https://h.example?x=1", "query or fragment"],
    ["https://h.example/?", "query or fragment"],
    ["https://h.example/#top", "query or fragment"],
    ["https://h.example/api/v2#", "query or fragment"],
    ["https://app.x\n.evil.example", "line breaks"],
    ["https://app.x\t.evil.example", "line breaks"],
    ["https://app.x\r\n.evil.example", "line breaks"],
    ["https://h.example/a b", "spaces"],
    ["http://h.example", "unencrypted"],
    ["http://localhost.evil.example", "unencrypted"],
    ["http://127.0.0.1.evil.example", "unencrypted"],
    ["http://0.0.0.0", "unencrypted"],
    ["http://10.0.0.1", "unencrypted"],
  ])("given as '%s' is refused", (baseUrl, told) => {
    expect(problemsOf({ baseUrl })).toEqual([{ input: "base-url", problem: expect.stringContaining(told) }]);
  });

  test("may be http:// elsewhere if allowed explicitly", () => {
    expect(baseUrlOf({ baseUrl: "http://h.example", allowHttp: true })).toBe("http://h.example/api/v2");
  });

  test("never reveals its password in errors", () => {
    expect(JSON.stringify(problemsOf({ baseUrl: "https://user:hunter2@h.example" }))).not.toContain(
      "hunter2",
    );
  });
});

describe("the API key", () => {
  test.each(["", " ", "\n", "\r\n \t"])("%j is missing", (apiKey) => {
    expect(problemsOf({ apiKey })).toEqual([
      { input: "api-key", problem: "is missing; give the key of a service account", missing: true },
    ]);
  });

  test.each([
    ["a BOM before it", `\ufeff${KEY}`],
    ["a BOM after it", `${KEY}\ufeff`],
    ["a character outside Latin-1", `${KEY}✓`],
    ["a character outside ASCII", `${KEY}é`],
    ["a no-break space", `${KEY}\u00a0`],
    ["a blank in it", `${KEY} ${KEY}`],
    ["a second line", `${KEY}\n${KEY}`],
    ["a NUL", `${KEY}\0`],
    ["a DEL", `${KEY}\u007f`],
  ])("with %s is refused without being shown", (_, apiKey) => {
    const problems = problemsOf({ apiKey });
    expect(problems).toEqual([{ input: "api-key", problem: expect.stringContaining("non-ASCII") }]);
    expect(JSON.stringify(problems)).not.toContain(KEY);
  });

  test.each([`${KEY}\n`, `${KEY}\r\n`, `  ${KEY}\t`])("loses the blanks around it: %j", async (apiKey) => {
    expect(await connect({ apiKey, org: "acme", region: "eu" }).authorization()).toBe(`Bearer ${KEY}`);
  });

  test("is sent as bearer unless basic is chosen, never as both", async () => {
    const basic = Buffer.from(`${KEY}:`).toString("base64");
    expect(await connect({ apiKey: KEY, org: "acme", region: "eu" }).authorization()).toBe(`Bearer ${KEY}`);
    expect(
      await connect({ apiKey: KEY, org: "acme", region: "eu", authScheme: "basic" }).authorization(),
    ).toBe(`Basic ${basic}`);
  });

  test.each([
    ["k", "Basic azo="],
    ["ke", "Basic a2U6"],
    ["key", "Basic a2V5Og=="],
  ])("in basic authorization is a user name with its colon: %s", (key, header) => {
    expect(authorizationOf(key, "basic")).toBe(header);
  });
});

test.each(["", ".", ".."])("an organization named '%s' is refused", (org) => {
  expect(problemsOf({ org }).map(({ input }) => input)).toEqual(["org"]);
});

test.each([
  [{ retries: -1 }, "retries"],
  [{ retries: 1.5 }, "retries"],
  [{ retries: Number.NaN }, "retries"],
  [{ timeout: 0 }, "timeout"],
  [{ timeout: -1 }, "timeout"],
  [{ timeout: Number.NaN }, "timeout"],
  [{ timeout: 1e9 }, "timeout"],
])("timeouts that would end at once or never are refused: %o", (options, input) => {
  expect(problemsOf(options).map((p) => p.input)).toEqual([input]);
});

test("all errors are reported at once", () => {
  expect(
    problemsOf({ apiKey: "", org: "..", baseUrl: "nonsense", retries: -1 }).map(({ input }) => input),
  ).toEqual(["api-key", "org", "base-url", "retries"]);
});

test("an invalid proxy is refused before anything is sent", () => {
  expect(problemsOf({ proxyVariables: { ALL_PROXY: "socks5://p:1" } }).map(({ input }) => input)).toEqual([
    "ALL_PROXY",
  ]);
});

describe("the deadline of a connection", () => {
  const wait = (deadline: { signal: AbortSignal }) =>
    new Promise((_, reject) =>
      deadline.signal.addEventListener("abort", () => reject(deadline.signal.reason)),
    );

  test("applies to each call unless all share it", async () => {
    const { connection } = connectTo("http://127.0.0.1:1");
    const [first, second] = [
      await connection.within((d) => Promise.resolve(d)),
      await connection.within((d) => Promise.resolve(d)),
    ];
    expect(first).not.toBe(second);
  });

  test("applies to all calls together when they share it", async () => {
    const { connection } = connectTo("http://127.0.0.1:1", { oneDeadline: true });
    const [first, second] = [
      await connection.within((d) => Promise.resolve(d)),
      await connection.within((d) => Promise.resolve(d)),
    ];
    expect(first).toBe(second);
  });

  test.each([true, false])(
    "ends with the reason of an interruption (oneDeadline: %s)",
    async (oneDeadline) => {
      const controller = new AbortController();
      const { connection } = connectTo("http://127.0.0.1:1", { oneDeadline, signal: controller.signal });
      const work = failureOf(RangeError, connection.within(wait));
      controller.abort(new RangeError("interrupted"));
      expect((await work).message).toBe("interrupted");
    },
  );

  test("expires with an error that states the time limit", async () => {
    const { connection } = connectTo("http://127.0.0.1:1", { timeout: 0.05 });
    expect((await failureOf(Error, connection.within(wait))).message).toBe("timed out after 0.05 s");
  });
});
