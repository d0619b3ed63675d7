import { expect, test } from "vitest";
import { dataPath, linesOf } from "../../src/evidence/yaml-lines.ts";

const TEMPLATE = `# What a build must show.
version: 1
trail:
  attestations:
    - name: review
      type: pull_request
    - name: scan
  artifacts: [{ name: web, attestations: [{ name: unit,
    type: junit }] }]
`;

test.each([
  ["version", 2],
  ["trail.attestations[0].name", 5],
  ["trail.attestations.0.type", 6],
  ["trail.artifacts[0].attestations[0].type", 9],
  // A missing member has the line of its parent.
  ["trail.attestations[1].type", 7],
  ["trail.attestations[7].name", 5],
  ["nowhere.at.all", 2],
  ["", 2],
])("%s is in line %i", async (field, line) => {
  const lineOf = await linesOf(TEMPLATE);
  expect(lineOf(dataPath(field))).toBe(line);
});

test("JSON has lines as well", async () => {
  const lineOf = await linesOf('{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}');
  expect(lineOf(["a", 1, "b"])).toBe(4);
});

test("unparsable text has none", async () => {
  const lineOf = await linesOf("a: [1,\nb: 2");
  expect(lineOf(["a"])).toBeUndefined();
});
