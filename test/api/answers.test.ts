import { describe, expect, test } from "vitest";
import { call } from "../../src/api/client/call.ts";
import {
  ApiError,
  codeOf,
  InputError,
  isUnavailable,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from "../../src/api/client/errors.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { connectTo, failureOf, KEY, shownText } from "./connections.ts";
import { httpServer, json } from "./local-server.ts";
import { FINGERPRINT, samples } from "./sample-requests.ts";

const { assertArtifact, attestGeneric, beginTrail, createFlow, listRepos } = operations;

/** A server that always gives this one response. */
function answering(status: number, text: string, headers: Record<string, string> = {}) {
  return httpServer((response) => {
    response.writeHead(status, headers);
    response.end(text);
  });
}

const HTML = "<!DOCTYPE html><html><body>Sign in</body></html>";

const PATH_NOT_FOUND = "request.path_not_found";

describe("a write succeeds", () => {
  test.each([
    [201, '"OK"', "OK"],
    [201, "OK", "OK"],
    [201, "", ""],
    [201, '{"message":"OK"}', '{"message":"OK"}'],
    [200, '"OK"', "OK"],
    [202, "", ""],
  ])("on %i with the body '%s'", async (status, text, body) => {
    const server = await answering(status, text, { "content-type": "application/json" });
    const reply = await call(connectTo(server.url).connection, attestGeneric, samples.attestGeneric.request);
    expect(reply).toMatchObject({ status, body, warnings: [] });
  });

  test("on 204 without a body", async () => {
    const server = await answering(204, "");
    const reply = await call(connectTo(server.url).connection, attestGeneric, samples.attestGeneric.request);
    expect(reply).toMatchObject({ status: 204, body: "" });
  });

  test("on 200 for an operation that documents 201 only, and the reverse", async () => {
    const server = await answering(201, '"OK"');
    const { connection } = connectTo(server.url);
    expect((await call(connection, createFlow, samples.createFlow.request)).status).toBe(201);
    expect((await call(connection, beginTrail, samples.beginTrail.request)).status).toBe(201);
  });
});

describe("a web page is never a success", () => {
  test.each([
    ["for a read", listRepos, {}, "text/html; charset=utf-8", HTML],
    ["for a write", createFlow, samples.createFlow.request, "text/html", HTML],
    ["without a content type", createFlow, samples.createFlow.request, "", `\n ${HTML}`],
  ])("%s", async (_, operation, request, type, text) => {
    const server = await answering(200, text, type ? { "content-type": type } : {});
    const error = await failureOf(
      ProtocolError,
      call(connectTo(server.url).connection, operation, request as never),
    );
    expect(error.message).toMatch(
      new RegExp(`^not JSON: .* \\(127\\.0\\.0\\.1:\\d+, ${operation.name}, status 200\\)$`),
    );
    expect(error.message).toContain("Sign in");
    expect(error.advice).toContain("base-url");
    expect(server.received).toHaveLength(1);
  });
});

describe("a read fails", () => {
  test.each([
    ["an empty body", "", "not JSON: an empty body"],
    ["text", "fine", 'not JSON: text/plain "fine"'],
    ["half of its JSON", '{"page":1,', "not JSON"],
    ["null", "null", "the body: expected object"],
    ["an array", "[]", "the body: expected object"],
    ["a missing field", '{"page":1,"per_page":1,"total_pages":1,"repos":[]}', "'total_count': expected"],
    [
      "a field of another type",
      '{"page":1,"per_page":1,"total_pages":1,"total_count":0,"repos":[{"name":1}]}',
      "'repos.0.name': expected string",
    ],
  ])("on %s", async (_, text, excerpt) => {
    const server = await answering(200, text, { "content-type": "text/plain" });
    const error = await failureOf(ProtocolError, call(connectTo(server.url).connection, listRepos, {}));
    expect(error.message).toContain(excerpt);
  });

  test("with an excerpt of the response, never the whole", async () => {
    const server = await answering(200, "x".repeat(100_000));
    const error = await failureOf(ProtocolError, call(connectTo(server.url).connection, listRepos, {}));
    expect(error.message).toContain(`"${"x".repeat(200)}"`);
    expect(error.message.length).toBeLessThan(400);
  });
});

test("fields that a closed list should not have are omitted with a warning, without failing", async () => {
  const list = {
    page: 1,
    per_page: 15,
    total_pages: 1,
    total_count: 1,
    repos: [{ name: "r", url: "u", new_one: 1 }],
  };
  const server = await httpServer((response) => json(response, 200, { ...list, next_page: 2, cursor: "c" }));
  const reply = await call(connectTo(server.url).connection, listRepos, {});
  expect(reply.body).toEqual({
    page: 1,
    perPage: 15,
    totalPages: 1,
    totalCount: 1,
    repos: [{ name: "r", url: "u", new_one: 1 }],
  });
  expect(reply.warnings).toEqual([expect.stringMatching(/were ignored: next_page, cursor$/)]);
});

test("an attestation from an older or newer service is read, whatever it omits or adds", async () => {
  const odd = {
    attestation_id: "1",
    attestation_name: "pulls",
    attestation_type: "pull_request",
    created_at: 1,
    schema_version: null,
    has_audit_package: null,
    git_commit_info: { author_username: "ada", branch: null },
    external_urls: { report: "https://x.example/r", other: { href: "https://x.example/o", added_later: 1 } },
    annotations: { ticket: 7 },
    pull_requests: [
      {
        url: "https://x.example/1",
        merge_commit: null,
        approvers: ["bob", { username: "eve", added_later: 1 }],
      },
    ],
    processed_snyk_results: { results: [{ high_count: null }] },
    _links: { evidence: null, added_later: { href: "https://x.example" } },
    added_later: { deep_key: 1 },
  };
  const server = await answering(200, JSON.stringify([odd]), { "content-type": "application/json" });
  const request = { flowName: "web", trailName: "t1", attestationName: "pulls" };
  const { body, warnings } = await call(
    connectTo(server.url).connection,
    operations.listTrailAttestations,
    request,
  );
  expect(warnings).toEqual([]);
  expect(body).toEqual([
    {
      attestationId: "1",
      attestationName: "pulls",
      attestationType: "pull_request",
      createdAt: 1,
      schemaVersion: null,
      hasAuditPackage: null,
      gitCommitInfo: { authorUsername: "ada", branch: null },
      externalUrls: odd.external_urls,
      annotations: odd.annotations,
      pullRequests: [
        { url: "https://x.example/1", mergeCommit: null, approvers: odd.pull_requests[0]?.approvers },
      ],
      processedSnykResults: { results: [{ highCount: null }] },
      _links: odd._links,
      added_later: { deep_key: 1 },
    },
  ]);
});

test("an artifact from an older or newer service is read, whatever the provider of its repository", async () => {
  const odd = {
    id: "1",
    fingerprint: FINGERPRINT,
    filename: "app.tgz",
    flow_name: "web",
    created_at: "1.5",
    last_modified_at: "1.5",
    repo_info: {
      name: "acme/web",
      url: "ssh://git.example/acme/web",
      provider: "gitea",
      namespace_path: ["acme"],
    },
    git_commit_info: { sha1: "", author_username: "ada" },
    external_urls: { board: "https://x.example/b" },
  };
  const server = await answering(200, JSON.stringify(odd), { "content-type": "application/json" });
  const { request } = samples.getArtifact;
  const { body, warnings } = await call(connectTo(server.url).connection, operations.getArtifact, request);
  expect(warnings).toEqual([]);
  expect(body).toMatchObject({
    repoInfo: { name: "acme/web", provider: "gitea", namespacePath: ["acme"] },
    gitCommitInfo: { sha1: "", authorUsername: "ada" },
    externalUrls: odd.external_urls,
  });
});

test("an extra field does not make a wrong one right", async () => {
  const server = await httpServer((response) => json(response, 200, { page: "1", extra: 2 }));
  await failureOf(ProtocolError, call(connectTo(server.url).connection, listRepos, {}));
});

describe("an assertion without a clear result is a failure:", () => {
  const verdict = { fingerprint: FINGERPRINT, scope: "flow" };
  test.each([
    ["the result is missing", verdict, "'compliant'"],
    ["the result is a string", { ...verdict, compliant: "true" }, "'compliant'"],
    ["the result is null", { ...verdict, compliant: null }, "'compliant'"],
    ["the result is 1", { ...verdict, compliant: 1 }, "'compliant'"],
    ["the scope is unknown", { ...verdict, compliant: true, scope: "galaxy" }, "'scope'"],
    ["it is an array", [{ ...verdict, compliant: true }], "the body"],
    ["it is null", null, "the body"],
    ["it is a string", "compliant", "the body"],
  ])("%s", async (_, body, field) => {
    const server = await httpServer((response) => json(response, 200, body));
    const error = await failureOf(
      ProtocolError,
      call(connectTo(server.url).connection, assertArtifact, { fingerprint: FINGERPRINT }),
    );
    expect(error.message).toContain(`JSON of an unexpected shape: ${field}`);
  });

  test("it is empty", async () => {
    const server = await answering(200, "");
    await failureOf(
      ProtocolError,
      call(connectTo(server.url).connection, assertArtifact, { fingerprint: FINGERPRINT }),
    );
  });
});

describe("an error response", () => {
  const refused = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const server = await httpServer((response) => json(response, status, body, headers));
    const error = await failureOf(
      ApiError,
      call(connectTo(server.url, { retries: 2 }).connection, createFlow, samples.createFlow.request),
    );
    return { error, host: server.url.slice("http://".length), attempts: server.received.length };
  };

  test("400 lists each field on its own line, sorted by name", async () => {
    const { error, host, attempts } = await refused(400, {
      message: "Input payload validation failed",
      errors: { visibility: "bad", description: "worse", name: "worst" },
    });
    expect(error.message).toBe(`Input payload validation failed (${host}, createFlow, status 400)`);
    expect(error.details).toEqual(["description: worse", "name: worst", "visibility: bad"]);
    expect(Object.entries(error.fieldErrors)).toEqual([
      ["description", "worse"],
      ["name", "worst"],
      ["visibility", "bad"],
    ]);
    expect(attempts).toBe(1);
  });

  test.each([
    [401, "the API key was rejected: said why", "mistyped, expired or revoked"],
    [403, "the API key lacks the right to createFlow in organization 'acme': said why", "role"],
    [404, "said why", "Check the names"],
    [413, "said why", "Send less at a time"],
    [422, "said why", ""],
    [501, "said why", "The service failed"],
  ])("%i is final, told with the service's words and what to do", async (status, message, advice) => {
    const { error, host, attempts } = await refused(status, { message: "said why", errors: null });
    expect({ status: error.status, attempts: error.attempts, sent: attempts }).toEqual({
      status,
      attempts: 1,
      sent: 1,
    });
    expect(error.message).toBe(`${message} (${host}, createFlow, status ${status})`);
    expect(error.advice).toContain(advice);
  });

  test.each([429, 500, 502, 503, 504, 408, 425])(
    "%i is reported after all attempts, with their number",
    async (status) => {
      const { error, host, attempts } = await refused(status, { message: "busy" });
      expect(attempts).toBe(3);
      expect(error.attempts).toBe(3);
      expect(error.message).toBe(`busy (${host}, createFlow, status ${status}, 3 attempts)`);
    },
  );

  test("names the request id for the service's log", async () => {
    expect((await refused(404, { message: "m" }, { "x-request-id": "theirs" })).error.requestId).toBe(
      "theirs",
    );
  });

  test("that is a gateway's page is reported by its status, type and first words", async () => {
    const server = await answering(502, `<html>\n<h1>Bad   gateway</h1>${"x".repeat(1000)}</html>`, {
      "content-type": "text/html; charset=utf-8",
    });
    const error = await failureOf(
      ApiError,
      call(connectTo(server.url, { retries: 1 }).connection, listRepos, {}),
    );
    expect(error.message).toMatch(
      /^text\/html "<html> <h1>Bad gateway<\/h1>x+" \(.*, status 502, 2 attempts\)$/,
    );
    expect(error.message.length).toBeLessThan(350);
  });

  test.each(["", "[]", '{"detail":"x"}', '{"message":1}', "null"])(
    "whose body is '%s' is reported all the same",
    async (text) => {
      const server = await answering(404, text);
      const error = await failureOf(ApiError, call(connectTo(server.url).connection, listRepos, {}));
      expect(error.message).toContain(text === "" ? "an empty body" : text);
      expect(error.fieldErrors).toEqual({});
    },
  );

  test.each([
    ["404 page not found", "text/plain"],
    ["<h1>Not Found</h1>", "text/html"],
    ['{"detail":"Not Found"}', "application/json"],
    ['{"message":"Not Found"}', "application/json"],
    ['{"message":"Not found: GET /wrong/api/v2/repos/acme"}', "application/json"],
    [`{"message":"Not found: GET /w","code":"${PATH_NOT_FOUND}"}`, "application/json"],
  ])("for a path outside the API names base-url, and is foreign without a code: %s", async (text, type) => {
    const server = await answering(404, text, { "content-type": type });
    const error = await failureOf(ApiError, call(connectTo(server.url).connection, listRepos, {}));
    expect(error.advice).toBe("There is no such path: check that base-url is the address of the service.");
    const isOwn = text.includes(PATH_NOT_FOUND);
    expect([error.isForeign, error.missing, codeOf(error)]).toEqual([!isOwn, false, PATH_NOT_FOUND]);
  });

  test.each([
    ["auth.key_expired", "auth.key_expired"],
    ["some.later_code", "some.later_code"],
    ["::error::x", undefined],
    [7, undefined],
    [undefined, undefined],
  ])("with the code %j has the code %j", async (given, code) => {
    const { error } = await refused(401, { message: "no", code: given });
    expect([error.code, codeOf(error)]).toEqual([code, code ?? "auth.key_unknown"]);
  });

  test.each([
    [400, "request.refused"],
    [403, "access.denied"],
    [409, "request.refused"],
    [429, "limit.requests"],
    [503, "service.failed"],
  ])("%i without a code has one by its status", (status, code) => {
    expect(codeOf(api(status))).toBe(code);
  });

  test("whose message is long leaves room for the rest", async () => {
    const { error, host } = await refused(404, { message: "m".repeat(100_000) });
    expect(error.message).toBe(`${"m".repeat(2_000)}… (${host}, createFlow, status 404)`);
  });

  test("never contains the key of the request", async () => {
    const { error } = await refused(401, { message: "Unauthorized: the API key is not known" });
    expect(shownText(error)).not.toContain(KEY);
  });
});

test.each([
  [api(429), true],
  [api(500), true],
  [api(503), true],
  [api(400), false],
  [api(401), false],
  [api(404), false],
  [api(409), false],
  [api(413), false],
  [new NetworkError({ what: "w", fault: "ECONNREFUSED" }), true],
  [new TimeoutError({ what: "w" }), true],
  [new ProtocolError({ what: "w" }), false],
  [new InputError([{ input: "i", problem: "p" }]), false],
  [new Error("another"), false],
])("whether the service is unavailable follows from the fault: %s", (error, unavailable) => {
  expect(isUnavailable(error)).toBe(unavailable);
});

function api(status: number): ApiError {
  return new ApiError({ what: `status ${status}`, status, fieldErrors: {}, requestId: "r", attempts: 1 });
}
