import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call } from "../../src/api/client/call.ts";
import { InputError } from "../../src/api/client/errors.ts";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { camelName } from "../../src/api/wire-names.ts";
import { connectTo, failureOf } from "./connections.ts";
import { httpServer, json } from "./local-server.ts";
import { samples } from "./sample-requests.ts";

const { attestGeneric, assertArtifact, listRepos } = operations;
const repos = { page: 1, per_page: 15, total_pages: 0, total_count: 0, repos: [] };

/** Any text that can be a name: whole characters, not empty, not a path step. */
const names = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(..."/?#% é:;@&=+$,.\\\"'<>[]{}|^`~%2e\n\0"),
      minLength: 1,
      maxLength: 12,
    }),
  )
  .filter((name) => name !== "." && name !== ".." && name.isWellFormed());

test("names arrive decoded once and unchanged, whatever they contain", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  await fc.assert(
    fc.asyncProperty(names, names, names, async (org, flowName, trailName) => {
      const { connection } = connectTo(server.url, { org });
      await call(connection, attestGeneric, { ...samples.attestGeneric.request, flowName, trailName });
      const path = server.received.at(-1)?.path ?? "";
      expect(path).not.toContain("//");
      expect(path.split("/").map(decodeURIComponent)).toEqual([
        ..."/api/v2/attestations".split("/"),
        org,
        flowName,
        "trail",
        trailName,
        "generic",
      ]);
    }),
    { numRuns: 60 },
  );
});

test.each(["%2e%2e", "%2E", "%2f", "a%20b", "..."])(
  "a name that looks encoded, '%s', stays literal",
  async (flowName) => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    await call(connectTo(server.url).connection, attestGeneric, {
      ...samples.attestGeneric.request,
      flowName,
    });
    expect(server.received[0]?.path).toContain(`/acme/${flowName.replaceAll("%", "%25")}/trail/`);
  },
);

test("query values arrive unchanged", async () => {
  const server = await httpServer((response) => json(response, 200, repos));
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }).filter((s) => s.isWellFormed()),
      async (name) => {
        await call(connectTo(server.url).connection, listRepos, { name, page: 3 });
        const query = new URL(server.received.at(-1)?.path ?? "", server.url).searchParams;
        expect([...query]).toEqual([
          ["page", "3"],
          ["name", name],
        ]);
      },
    ),
    { numRuns: 40 },
  );
});

test("each item of a list is a separate query parameter, in order", async () => {
  const { answer, request } = samples.assertArtifact;
  const server = await httpServer((response) => json(response, answer.status, answer.body));
  await call(connectTo(server.url).connection, assertArtifact, {
    fingerprint: request.fingerprint,
    policyName: ["b,c", "a&x=1", "b,c"],
  });
  const query = new URL(server.received[0]?.path ?? "", server.url).searchParams;
  expect(query.getAll("policy_name")).toEqual(["b,c", "a&x=1", "b,c"]);
});

test("omitted parameters are not sent, though the service has a default for them", async () => {
  const server = await httpServer((response) => json(response, 200, repos));
  await call(connectTo(server.url).connection, listRepos, {});
  expect(server.received[0]?.path).toBe("/api/v2/repos/acme");
});

describe("an invalid request is refused before anything is sent:", () => {
  const refusedWithoutRequest = async (work: (url: string) => Promise<unknown>) => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const error = await failureOf(InputError, work(server.url));
    expect(server.received).toEqual([]);
    return error.problems;
  };

  test.each([".", "..", ""])("a flow named '%s'", async (flowName) => {
    const problems = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, attestGeneric, { ...samples.attestGeneric.request, flowName }),
    );
    expect(problems.map(({ input }) => input)).toEqual(["flow_name"]);
  });

  const pathParameters = Object.values<OperationShape>(operations).flatMap((operation) =>
    [...operation.path.matchAll(/\{(\w+)\}/g)].flatMap(([, parameter = ""]) =>
      parameter === "org" ? [] : [{ operation, name: operation.name, parameter }],
    ),
  );

  describe.each(pathParameters)("$name with its $parameter", ({ operation, parameter }) => {
    // A URL parser would treat the first two as steps in the path, and another operation would answer.
    test.each([".", "..", ""])("'%s'", async (value) => {
      const request = { [camelName(parameter)]: value };
      const problems = await refusedWithoutRequest((url) =>
        call(connectTo(url).connection, operation, request),
      );
      expect(problems.map(({ input }) => input)).toContain(parameter);
    });
  });

  test("a name with half of a character", async () => {
    const problems = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, attestGeneric, {
        ...samples.attestGeneric.request,
        flowName: "a\ud800",
      }),
    );
    expect(problems.map(({ input }) => input)).toEqual(["flow_name"]);
  });

  test("every bad name at once", async () => {
    const problems = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, attestGeneric, {
        ...samples.attestGeneric.request,
        flowName: "..",
        trailName: "",
      }),
    );
    expect(problems.map(({ input }) => input).sort()).toEqual(["flow_name", "trail_name"]);
  });

  test.each(["AB".repeat(32), "ab12", "g".repeat(64), `${"a".repeat(64)}0`, `sha256:${"a".repeat(64)}`])(
    "the fingerprint '%s'",
    async (fingerprint) => {
      const problems = await refusedWithoutRequest((url) =>
        call(connectTo(url).connection, assertArtifact, { fingerprint }),
      );
      expect(problems.map(({ input }) => input)).toEqual(["fingerprint"]);
    },
  );

  test("a page of a size outside the limits of the API", async () => {
    const problems = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, listRepos, { perPage: 51, page: 0 }),
    );
    expect(problems).toEqual([
      { input: "page", problem: expect.stringContaining("must be at least 1") },
      { input: "per_page", problem: expect.stringContaining("must be at most 50") },
    ]);
  });

  test("a body with a field of the wrong pattern and a missing one, each by its name", async () => {
    const problems = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, attestGeneric, {
        ...samples.attestGeneric.request,
        body: { attestationName: "a b", isCompliant: true, gitCommitInfo: { sha1: "" } },
      }),
    );
    expect(problems.map(({ input }) => input)).toEqual(["attestation_name", "git_commit_info.sha1"]);
  });

  test("a body of over 4 MB, with its size and what to do", async () => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const error = await failureOf(
      InputError,
      call(connectTo(server.url).connection, attestGeneric, {
        ...samples.attestGeneric.request,
        body: {
          attestationName: "unit",
          isCompliant: true,
          userData: { text: "é".repeat(2.2 * 1024 * 1024) },
        },
      }),
    );
    expect(error.message).toBe("data_json: is 4.4 MB of JSON; the limit is 4.0 MB");
    expect(error.advice).toContain("as a file");
    expect(server.received).toEqual([]);
  });

  test.each([
    ["no target", { name: "tell", targets: [] }, "targets"],
    ["a name that starts with a dash", { name: "-x", targets: [email()] }, "name"],
    ["a name with a blank", { name: "a b", targets: [email()] }, "name"],
    ["no name", { name: "", targets: [email()] }, "name"],
    [
      "an invalid web address",
      { name: "a", targets: [webhook("javascript:alert(1)")] },
      "targets[0].webhook",
    ],
  ])("a flow action with %s", async (_, body, field) => {
    const problems = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, operations.putFlowAction, { body }),
    );
    expect(problems.map(({ input }) => input)).toEqual([field]);
  });

  test("a flow action whose webhook is wrong, without showing the webhook", async () => {
    const [problem] = await refusedWithoutRequest((url) =>
      call(connectTo(url).connection, operations.putFlowAction, {
        body: { name: "a", targets: [webhook("ftp://hooks.example/T0/secret-part")] },
      }),
    );
    expect(problem?.problem).not.toContain("secret-part");
  });
});

function email() {
  return { type: "EMAIL" as const, emails: ["a@example.com"] };
}

function webhook(address: string) {
  return { type: "WEBHOOK" as const, webhook: address };
}
