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
import { codePoint } from "../../code-point.ts";

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

describe("the requirements of a template", () => {
  test.each<[string, TemplateRecord]>([
    ["an artifact by its name", { artifact: "app" }],
    ["an attestation about the trail", attested("review", "pull_request")],
    ["one of any type", attested("any", "sonar")],
    ["one about an artifact", attested("app.unit-test", "junit")],
    [
      "one about several, of which one is required",
      { attestation: "unit-test", type: "junit", artifacts: ["db", "app"] },
    ],
    ["one of a custom type", attested("db.coverage", "custom:coverage")],
    ["one whose type only the service knows", attested("app.unit-test", undefined)],
  ])("%s matches a slot", (_, record) => {
    expect(matchTemplate(TEMPLATE, record)).toEqual({ result: "met" });
  });

  test.each<[string, TemplateRecord, string]>([
    ["an artifact with a typo in its name", { artifact: "ap" }, "app"],
    ["an attestation with a typo", attested("app.unit-tests", "junit"), "app.unit-test"],
    ["one in another letter case", attested("app.Unit-Test", "junit"), "app.unit-test"],
    ["one of another type", attested("app.unit-test", "generic"), "app.unit-test"],
    ["one without its artifact", attested("unit-test", "junit"), "app.unit-test"],
    ["one of another artifact", attested("db.unit-test", "junit"), "app.unit-test"],
    ["one whose artifact is misspelled", attested("ap.unit-test", "junit"), "app.unit-test"],
    ["one about an artifact that is required of the trail", attested("app.review", "pull_request"), "review"],
    ["one of that type with another name", attested("app.specification", "junit"), "app.unit-test"],
  ])("%s does not match, and the nearest slot is known", (_, record, nearest) => {
    expect(nearestTo(record)).toBe(nearest);
  });

  test("an item is unexpected if the template names no artifacts, or requires no attestations", () => {
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
      type: fc.string({ unit: codePoint }),
    }),
  );
  const match: fc.Arbitrary<TemplateMatch> = fc.oneof(
    fc.constantFrom<TemplateMatch>({ result: "met" }, { result: "nothing-asked" }, { result: "unmet" }),
    slot.map((nearest: Slot) => ({ result: "unmet" as const, nearest })),
  );

  test("is read unchanged, and is ASCII whatever the names are", () =>
    fc.assert(
      fc.property(match, (given) => {
        const text = formatTemplateMatch(given);
        expect(text).toMatch(/^[\x21-\x7e]+$/);
        expect(readTemplateMatch(text)).toEqual(given);
      }),
    ));

  test("omits a slot that would make it too long", () => {
    const nearest = { artifact: undefined, attestation: "a", type: `custom:${"ü".repeat(400)}` };
    expect(formatTemplateMatch({ result: "unmet", nearest })).toBe("result=unmet");
  });

  test.each([undefined, "", "true", "result=", "result=else", ["result=met"]])(
    "%j has no meaning",
    (header) => {
      expect(readTemplateMatch(header)).toBeUndefined();
    },
  );
});
