import { expect, test } from "vitest";
import { keepDigits, plainNumbers } from "../../src/api/exact-numbers.ts";
import { junitSubmission, pullRequestSubmission } from "../../src/api/resources/attestation-kinds.ts";
import type { Schema } from "../../src/api/wire-names.ts";

function plain(schema: Schema, json: string): unknown {
  return plainNumbers(schema, JSON.parse(json, keepDigits));
}

test("numbers are plain where the schema names them, and keep their digits where it accepts anything", () => {
  const json =
    '{"attestation_name":"unit","user_data":{"version":1.10,"list":[1e3]},"junit_results":[{"name":"s","failures":0,"errors":0,"skipped":-0,"total":1,"duration":1.50,"timestamp":1700000000.0}]}';
  const value = plain(junitSubmission, json);
  expect(junitSubmission.safeParse(value).error).toBeUndefined();
  expect(JSON.stringify(value)).toBe(
    json.replace("1.50", "1.5").replace("1700000000.0", "1700000000").replace("-0", "0"),
  );
});

test("they are plain in each member of a union", () => {
  const pullRequest =
    '{"url":"u","state":"MERGED","author":"a","title":"t","created_at":1700000000.0,"head_ref":"h","commits":[]}';
  const value = plain(
    pullRequestSubmission,
    `{"attestation_name":"pr","git_provider":"github","pull_requests":[${pullRequest}]}`,
  );
  expect(pullRequestSubmission.safeParse(value).error).toBeUndefined();
});

test("a value without changes is returned as is", () => {
  const value = { attestation_name: "unit", user_data: JSON.parse("[1.10]", keepDigits), junit_results: [] };
  expect(plainNumbers(junitSubmission, value)).toBe(value);
});
