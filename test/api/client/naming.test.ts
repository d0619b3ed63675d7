import { expect, onTestFinished, test } from "vitest";
import { call } from "../../../src/api/client/call.ts";
import { connect } from "../../../src/api/client/connection.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { EvidenceClient, InputError, NetworkError } from "../../../src/index.ts";
import { failureOf, KEY } from "../connections.ts";

const { attestGeneric, listRepos } = operations;

/** No server listens on this port. */
const CLOSED = { apiKey: KEY, org: "acme", baseUrl: "http://127.0.0.1:1" };

/** Names of everything that a library's call is refused for. */
async function refused(work: () => unknown): Promise<string[]> {
  const { problems } = await failureOf(InputError, (async () => work())());
  return problems.map(({ input }) => input);
}

test("the library names its own options", async () => {
  expect(await refused(() => new EvidenceClient({ apiKey: "", org: "" }))).toEqual([
    "apiKey",
    "org",
    "baseUrl",
  ]);
  const unsafe = { apiKey: KEY, org: "acme", baseUrl: "http://h.example" };
  expect(() => new EvidenceClient(unsafe)).toThrow("allowHttp: true");
  const withUser = { ...unsafe, baseUrl: "https://a:b@h.example" };
  expect(() => new EvidenceClient(withUser)).toThrow("set apiKey instead");
});

test("the library names its address in the advice about a network fault", async () => {
  await using client = disposable(new EvidenceClient({ ...CLOSED, retries: 0 }));
  const { advice } = await failureOf(NetworkError, client.listRepos({}));
  expect(advice).toBe("Check that baseUrl is right and that this machine may reach it.");
});

test("a command names its options", async () => {
  const sends = { apiKey: "", org: "", timeout: 0, retries: -1 };
  const refusedOptions = await refused(() => connect(sends, "options"));
  expect(refusedOptions).toEqual(["EVIDENCE_API_KEY", "--org", "--base-url", "--timeout", "--retries"]);
  const connection = connect({ ...CLOSED, retries: 0 }, "options");
  onTestFinished(() => connection.close());
  const { advice } = await failureOf(NetworkError, call(connection, listRepos, {}));
  expect(advice).toBe("Check that --base-url is right and that this machine may reach it.");
  const to = { flowName: "web", trailName: "v1" };
  const large = { attestationName: "lint", isCompliant: true, userData: ["x".repeat(5 * 1024 * 1024)] };
  const error = await failureOf(InputError, call(connection, attestGeneric, { ...to, body: large }));
  expect([error.message, error.advice]).toEqual([
    "--body: is 5.0 MB of JSON; the limit is 4.0 MB",
    "Attach large data as a file instead of user_data.",
  ]);
  const list = JSON.parse("[]");
  expect(await refused(() => call(connection, attestGeneric, { ...to, body: list }))).toEqual(["--body"]);
});

test("the library names the fields of a request as its caller wrote them", async () => {
  await using client = disposable(
    new EvidenceClient({ apiKey: KEY, org: "acme", baseUrl: "https://h.example" }),
  );
  // As programs without types give them.
  const body = JSON.parse(
    '{"isCompliant": "yes", "gitCommitInfo": {"sha1": ""}, "annotations": {"my_key": 1}}',
  );
  const to = { flowName: "web", trailName: "v1" };
  expect(await refused(() => client.attestGeneric({ ...to, trailName: ".", body }))).toEqual(["trailName"]);
  const fields = await refused(() => client.attestGeneric({ ...to, body }));
  expect(fields.toSorted()).toEqual([
    "annotations.my_key",
    "attestationName",
    "gitCommitInfo.sha1",
    "isCompliant",
  ]);
  const large = { attestationName: "lint", isCompliant: true, userData: ["x".repeat(5 * 1024 * 1024)] };
  const error = await failureOf(InputError, client.attestGeneric({ ...to, body: large }));
  expect([error.message, error.advice]).toEqual([
    "body: is 5.0 MB of JSON; the limit is 4.0 MB",
    "Attach large data as a file instead of userData.",
  ]);
});

function disposable(client: EvidenceClient): EvidenceClient & AsyncDisposable {
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
