import { expect, test } from "vitest";
import { failureText } from "../../src/actions/assert-artifact/failure-text.ts";

const PAGE = "https://evidence.example/acme/flows/web/artifacts/1?artifact_id=2";
const failures = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    reason: "missing" as const,
    text: `reason ${index} applies`,
  }));

test("the reasons for a failed gate end with a link to the artifact's page", () => {
  expect(failureText("Not compliant:", failures(1), PAGE)).toBe(
    `Not compliant:\n- reason 0 applies\nThe artifact's page: ${PAGE}`,
  );
});

test("the link is omitted when the service has no page for the artifact", () => {
  expect(failureText("Not compliant:", failures(1), undefined)).toBe("Not compliant:\n- reason 0 applies");
});

test("the link survives any number of reasons, with a count of those omitted", () => {
  const text = failureText("Not compliant:", failures(1_000), PAGE);
  const lines = text.split("\n");
  const shown = lines.filter((line) => line.startsWith("- "));
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(text.length).toBeGreaterThan(3_900);
  expect(lines.slice(-2)).toEqual([`… and ${1_000 - shown.length} more`, `The artifact's page: ${PAGE}`]);
});
