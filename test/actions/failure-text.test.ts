import { expect, test } from "vitest";
import { failureText } from "../../src/actions/assert-artifact/failure-text.ts";

const PAGE = "https://evidence.example/acme/flows/web/artifacts/1?artifact_id=2";
const failures = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    reason: "missing" as const,
    text: `reason ${index} is told`,
  }));

test("the reasons why a gate is shut end with the page that tells more", () => {
  expect(failureText("Not compliant:", failures(1), PAGE)).toBe(
    `Not compliant:\n- reason 0 is told\nThe artifact's page: ${PAGE}`,
  );
});

test("there is no such line when the service names no page", () => {
  expect(failureText("Not compliant:", failures(1), undefined)).toBe("Not compliant:\n- reason 0 is told");
});

test("the page is told however many reasons there are, and how many are not shown", () => {
  const text = failureText("Not compliant:", failures(1_000), PAGE);
  const lines = text.split("\n");
  const shown = lines.filter((line) => line.startsWith("- "));
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(text.length).toBeGreaterThan(3_900);
  expect(lines.slice(-2)).toEqual([`… and ${1_000 - shown.length} more`, `The artifact's page: ${PAGE}`]);
});
