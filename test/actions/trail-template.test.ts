import { describe, expect, test } from "vitest";
import { templateOfFlow, templateOfTrail } from "../../src/actions/trail-template.ts";

const ofFlow = (template: unknown) => templateOfFlow({ name: "web", template });
const NOTHING = { attestations: [], artifacts: [] };
const APP = { attestations: [], artifacts: [{ name: "app", attestations: [] }] };

describe("the template of a flow", () => {
  test.each([
    ["version: 1"],
    ["# nothing yet\n"],
    [""],
    ["version: 1\ntrail:\n"],
    ["trail: {}"],
    ['{"version": 1}'],
  ])("%j requires nothing", async (text) => {
    expect(await ofFlow(text)).toEqual(NOTHING);
  });

  test("is read as a file and as a list of names", async () => {
    expect(await ofFlow("version: 1\ntrail: {artifacts: [{name: app}]}")).toEqual(APP);
    expect(await ofFlow(["artifact", "lint"])).toEqual({
      attestations: [],
      artifacts: [{ name: "artifact", attestations: [{ name: "lint", type: "*" }] }],
    });
  });

  test.each([
    [null],
    [undefined],
    [{}],
    [{ version: 1, content: "trail: {artifacts: [{name: app}]}" }],
    [[{ name: "app" }]],
    ["app"],
    ["version: 2"],
    ["version: 1\nartifacts: [{name: app}]"],
    ["trail: {artifacts: {}}"],
  ])("%j does not say what it requires", async (template) => {
    expect(await ofFlow(template)).toBeUndefined();
  });
});

test("the template of a trail is known only from its trail section", () => {
  expect(templateOfTrail({ template: { trail: { artifacts: [{ name: "app" }] } } })).toEqual(APP);
  expect(templateOfTrail({ template: { version: 1, trail: null } })).toEqual(NOTHING);
  expect(templateOfTrail({ template: {} })).toBeUndefined();
  const content = "trail: {artifacts: [{name: app}]}";
  expect(templateOfTrail({ template: { version: 1, content } })).toBeUndefined();
});
