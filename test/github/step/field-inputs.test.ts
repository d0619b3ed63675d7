import { expect, test } from "vitest";
import { ApiError, InputError, isUnavailable } from "../../../src/api/client/errors.ts";
import { byInputs } from "../../../src/github/step/field-inputs.ts";

const FIELDS = {
  attestation_name: "name",
  external_urls: "external-urls",
  target_artifacts: "target-artifacts",
  jira_results: { within: "data" },
  reason: { within: "data" },
  "targets[0].webhook": "slack-webhooks, item 1",
  "targets[1].emails": "emails",
};

function detailsOf(error: unknown): readonly string[] {
  const converted = byInputs(error, FIELDS);
  return converted instanceof InputError || converted instanceof ApiError
    ? converted.details
    : expect.fail("of another kind");
}

test("request errors are reported under the inputs that the request was made of", () => {
  const error = new InputError([
    { input: "attestation_name", problem: "is required", missing: true },
    { input: "external_urls.docs.href", problem: "must be an address" },
    { input: "target_artifacts[1]", problem: "must be a text" },
    { input: "jira_results[0].issue_url", problem: "is required", missing: true },
    { input: "reason", problem: "is required", missing: true },
    { input: "targets[0].webhook", problem: "must be an address" },
    { input: "targets[1].emails[2]", problem: "must be an address" },
    { input: "attestation_name_of_another_kind", problem: "is not a known field" },
  ]);
  expect(byInputs(error, FIELDS)).toMatchObject({ message: "3 inputs are missing, and 5 cannot be used" });
  expect(detailsOf(error)).toEqual([
    "name: is required",
    "external-urls: 'docs.href' must be an address",
    "target-artifacts: item 2 must be a text",
    "data: 'jira_results[0].issue_url' is required",
    "data: 'reason' is required",
    "slack-webhooks, item 1: must be an address",
    "emails: item 3 must be an address",
    "attestation_name_of_another_kind: is not a known field",
  ]);
});

test("so are the service's errors, with the allowed characters in words", () => {
  const pattern = "String should match pattern '^[a-zA-Z0-9\\-_,]+$'";
  const error = new ApiError({
    what: "Input payload validation failed",
    details: ["as the service has it"],
    status: 400,
    fieldErrors: {
      attestation_name: `${pattern} [input: a b]`,
      "external_urls.docs": "Input should be a valid URL [input: x]",
      other: `${pattern.replace("_,", "!")}`,
    },
    requestId: "r",
    attempts: 1,
  });
  expect(detailsOf(error)).toEqual([
    "name: must consist of letters, digits, hyphens, underscores and commas, not 'a b'",
    "external-urls: 'docs': Input should be a valid URL [input: x]",
    "other: String should match pattern '^[a-zA-Z0-9\\-!]+$'",
  ]);
  expect(byInputs(error, FIELDS)).toMatchObject({
    status: 400,
    fieldErrors: error.fieldErrors,
    requestId: "r",
  });
});

test("any other error is unchanged", () => {
  const busy = new ApiError({ what: "busy", status: 503, fieldErrors: {}, requestId: "r", attempts: 4 });
  for (const error of [busy, new TypeError("odd"), "a text"]) expect(byInputs(error, FIELDS)).toBe(error);
  expect(isUnavailable(byInputs(busy, FIELDS))).toBe(true);
});
