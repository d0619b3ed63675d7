import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  matchTemplate,
  type TemplateRecord,
  type TemplateSlots,
} from "../../../src/api/resources/match-template.ts";
import {
  formatTemplateMatch,
  nameOfSlot,
  readTemplateMatch,
  type Slot,
  type TemplateMatch,
} from "../../../src/api/resources/template-match.ts";

const TEMPLATE: TemplateSlots = {
  attestations: [
    { name: "review", type: "pull_request" },
    { name: "any", type: "*" },
  ],
  artifacts: [
    { name: "app", attestations: [{ name: "unit-test", type: "junit" }] },
    { name: "db", attestations: [{ name: "coverage", type: "custom:coverage" }] },
  ],
};

const attested = (name: string, type: string | undefined): TemplateRecord => {
  const [attestation = "", ...artifacts] = name.split(".").reverse();
  return { attestation, type, artifacts };
};
const nearestTo = (record: TemplateRecord, template = TEMPLATE) => {
  const match = matchTemplate(template, record);
  return match.result === "unmet" && match.nearest ? nameOfSlot(match.nearest) : match.result;
};

describe("what a template asks for", () => {
  test.each<[string, TemplateRecord]>([
    ["an artifact by its name", { artifact: "app" }],
    ["an attestation about the trail", attested("review", "pull_request")],
    ["one of any type", attested("any", "sonar")],
    ["one about an artifact", attested("app.unit-test", "junit")],
    [
      "one about several, of which it is asked for one",
      { attestation: "unit-test", type: "junit", artifacts: ["db", "app"] },
    ],
    ["one of a type of one's own", attested("db.coverage", "custom:coverage")],
    ["one whose type only the service knows", attested("app.unit-test", undefined)],
  ])("%s meets it", (_, record) => {
    expect(matchTemplate(TEMPLATE, record)).toEqual({ result: "met" });
  });

  test.each<[string, TemplateRecord, string]>([
    ["an artifact with a slip in its name", { artifact: "ap" }, "app"],
    ["an attestation with one", attested("app.unit-tests", "junit"), "app.unit-test"],
    ["one in other letters", attested("app.Unit-Test", "junit"), "app.unit-test"],
    ["one of another type", attested("app.unit-test", "generic"), "app.unit-test"],
    ["one that forgot its artifact", attested("unit-test", "junit"), "app.unit-test"],
    ["one of another artifact", attested("db.unit-test", "junit"), "app.unit-test"],
    ["one whose artifact is misspelt", attested("ap.unit-test", "junit"), "app.unit-test"],
    ["one about an artifact that is asked of the trail", attested("app.review", "pull_request"), "review"],
    ["one of that type with a name of its own", attested("app.specification", "junit"), "app.unit-test"],
  ])("%s does not, and what it is nearest to is known", (_, record, nearest) => {
    expect(nearestTo(record)).toBe(nearest);
  });

  test("is nothing of the sort where it names no artifacts, or asks for no attestations", () => {
    const withoutArtifacts = { attestations: TEMPLATE.attestations, artifacts: [] };
    const withoutAttestations = { attestations: [], artifacts: [{ name: "app", attestations: [] }] };
    expect(nearestTo({ artifact: "ap" }, withoutArtifacts)).toBe("nothing-asked");
    expect(nearestTo(attested("lint", "generic"), withoutAttestations)).toBe("nothing-asked");
    expect(nearestTo({ artifact: "ap" }, withoutAttestations)).toBe("app");
  });
});

describe("the header", () => {
  const slot = fc.oneof(
    fc.record({ artifact: fc.string() }),
    fc.record({
      artifact: fc.option(fc.string(), { nil: undefined }),
      attestation: fc.string(),
      type: fc.string({ unit: "binary" }),
    }),
  );
  const match: fc.Arbitrary<TemplateMatch> = fc.oneof(
    fc.constantFrom<TemplateMatch>({ result: "met" }, { result: "nothing-asked" }, { result: "unmet" }),
    slot.map((nearest: Slot) => ({ result: "unmet" as const, nearest })),
  );

  test("is read as it was written, and is ASCII whatever the names are", () =>
    fc.assert(
      fc.property(match, (given) => {
        const text = formatTemplateMatch(given);
        expect(text).toMatch(/^[\x21-\x7e]+$/);
        expect(readTemplateMatch(text)).toEqual(given);
      }),
    ));

  test("leaves out a slot that would make it too long", () => {
    const nearest = { artifact: undefined, attestation: "a", type: `custom:${"ü".repeat(400)}` };
    expect(formatTemplateMatch({ result: "unmet", nearest })).toBe("result=unmet");
  });

  test.each([undefined, "", "true", "result=", "result=else", ["result=met"]])(
    "%j says nothing",
    (header) => {
      expect(readTemplateMatch(header)).toBeUndefined();
    },
  );
});
