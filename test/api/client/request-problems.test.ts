import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { call } from "../../../src/api/client/call.ts";
import { InputError, type InputProblem } from "../../../src/api/client/errors.ts";
import { allowedBy } from "../../../src/api/pattern-words.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { connectTo, failureOf } from "../connections.ts";
import { samples } from "../sample-requests.ts";

const { attestGeneric, putFlowAction } = operations;
const attestation = samples.attestGeneric.request;

/** The errors of a changed attestation, by field. */
async function problemsWith(body: Record<string, unknown>): Promise<Record<string, string>> {
  const request = { ...attestation, body: { ...attestation.body, ...body } };
  const { connection } = connectTo("http://127.0.0.1:9");
  const error = await failureOf(InputError, call(connection, attestGeneric, request as never));
  return Object.fromEntries(error.problems.map(({ input, problem }) => [input, problem]));
}

describe("errors of a request are in plain words:", () => {
  test.each<[Record<string, unknown>, Record<string, string>]>([
    [
      { attestationName: "unit test" },
      {
        attestation_name: "must consist of letters, digits, hyphens, underscores and commas, not 'unit test'",
      },
    ],
    [
      { artifactFingerprint: "ABC" },
      { artifact_fingerprint: "must be 64 digits and the letters a to f, not 'ABC'" },
    ],
    [
      { externalUrls: { docs: "ftp://x" } },
      { "external_urls.docs": "must be an http:// or https:// address, not 'ftp://x'" },
    ],
    [
      { annotations: { "a b": "x" } },
      { "annotations.a b": "must consist of letters, digits, underscores and hyphens, not 'a b'" },
    ],
    [{ isCompliant: "yes" }, { is_compliant: "must be true or false, not 'yes'" }],
    [{ targetArtifacts: "web" }, { target_artifacts: "must be a list, not 'web'" }],
    [
      { attestationName: "n".repeat(300) },
      { attestation_name: `must have at most 255 characters, not '${"n".repeat(100)}…'` },
    ],
    [{ isCompliant: undefined }, { is_compliant: "is required" }],
    [{ extra: 1 }, { extra: "is not a known field" }],
  ])("%j", async (body, problems) => {
    expect(await problemsWith(body)).toEqual(problems);
  });

  test("and a secret among the values is not shown", async () => {
    const webhook = "ftp://hooks.example/secret-token";
    const body = { name: "n", type: "flow", targets: [{ type: "WEBHOOK", webhook }] };
    const { connection } = connectTo("http://127.0.0.1:9");
    const error = await failureOf(InputError, call(connection, putFlowAction, { body } as never));
    expect(error.message).toBe("targets[0].webhook: must be an http:// or https:// address");
  });
});

test("every pattern of a field has a description", () => {
  const folder = new URL("../../../src/api/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const source = files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const used = source.matchAll(/(?:z\.regex|named)\(\s*(?:\/\/[^\n]*\s*)?\/(\^.+\$)\/s?[,)\n]/g);
  const patterns = [...used].map(([, pattern = ""]) => pattern);
  expect(patterns.length).toBeGreaterThan(25);
  expect(patterns.filter((pattern) => !allowedBy(pattern)?.startsWith("must "))).toEqual([]);
  // As the API itself writes it.
  expect(allowedBy("^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$")).toContain("dots");
});

describe("missing fields are distinguished from invalid ones", () => {
  const missing: InputProblem = { input: "flow", problem: "is required", missing: true };
  const unusable: InputProblem = { input: "timeout", problem: "must be a whole number" };

  test.each([
    [[missing, missing], "2 inputs are missing"],
    [[unusable, unusable], "2 inputs cannot be used"],
    [[missing, unusable], "1 input is missing, and 1 cannot be used"],
    [[missing, missing, unusable, unusable], "2 inputs are missing, and 2 cannot be used"],
    [[missing], "flow: is required"],
  ])("in %j", (problems, heading) => {
    expect(new InputError(problems).message).toBe(heading);
  });
});
