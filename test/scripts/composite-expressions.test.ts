import { describe, expect, test } from "vitest";
import { conditionHolds, fillTemplate } from "../../scripts/composite/expressions.ts";

const inputs = { name: "it's }} here", list: "a\nb", "api-key": "k" };
const scope = { contexts: { inputs, github: { event: { number: 7, labels: ["x", "y"] } } } };
const passing = { ...scope, status: { failed: false, cancelled: false } };
const failing = { ...scope, status: { failed: true, cancelled: false } };

describe("a text with expressions", () => {
  test("has each replaced by its value, and the rest unchanged", () => {
    expect(fillTemplate("<${{ inputs.name }}> ${{github.event.number}} $HOME", scope)).toBe(
      "<it's }} here> 7 $HOME",
    );
  });

  test("may quote braces within an expression", () => {
    expect(fillTemplate("${{ format('{0}}}', inputs.api-key) == 'k}' && '}}' }}!", scope)).toBe("}}!");
  });

  test("converts all inputs to JSON that parses to the same values", () => {
    expect(JSON.parse(fillTemplate("${{ toJSON(inputs) }}", scope))).toEqual(inputs);
  });

  test("rejects an object as a value, an unknown context, an unknown function and an open brace", () => {
    expect(() => fillTemplate("${{ inputs }}", scope)).toThrow("not expected");
    expect(() => fillTemplate("${{ secrets.TOKEN }}", scope)).toThrow("Unrecognized named-value: 'secrets'");
    expect(() => fillTemplate("${{ success() }}", scope)).toThrow("Unrecognized function: 'success'");
    expect(() => fillTemplate("${{ inputs.name", scope)).toThrow("not closed");
    expect(() => fillTemplate("${{ }}", scope)).toThrow("Expected an expression");
  });
});

describe("a condition", () => {
  test.each([
    ["", true, false],
    ["inputs.api-key == 'k'", true, false],
    ["${{ inputs.api-key == 'k' }}", true, false],
    ["inputs.api-key == 'other'", false, false],
    ["inputs.missing", false, false],
    ["always()", true, true],
    ["Failure()", false, true],
    ["!cancelled() && inputs.list", true, true],
    ["success() || failure()", true, true],
    ["'failure()' != ''", true, false],
    ["contains(github.event.labels, 'x')", true, false],
    ["false", false, false],
  ])("'%s' is %s after success and %s after a failure", (condition, well, failed) => {
    expect(conditionHolds(condition, passing)).toBe(well);
    expect(conditionHolds(condition, failing)).toBe(failed);
  });

  test("that mixes text and expressions is rejected, because GitHub would treat it as always true", () => {
    expect(() => conditionHolds("${{ inputs.list }} == 'x'", passing)).toThrow("must be one expression");
    expect(() => conditionHolds("${{ inputs.list }} && ${{ inputs.name }}", passing)).toThrow(
      "must be one expression",
    );
  });
});
