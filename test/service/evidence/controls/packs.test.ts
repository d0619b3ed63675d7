import { expect, test } from "vitest";
import { createControl } from "../../../../src/api/resources/controls.ts";
import { controlPacks, requirementsOf } from "../../../../src/service/evidence/controls/packs.ts";

test("every control of a pack can be created, and no two have the same identifier", () => {
  const all = controlPacks().flatMap(({ controls }) => controls);
  for (const { crosswalk, ...control } of all)
    expect(createControl.body.schema.safeParse(control)).toMatchObject({ success: true });
  expect(new Set(all.map(({ identifier }) => identifier)).size).toBe(all.length);
  expect(controlPacks().map(({ controls }) => controls.length)).toEqual([41, 8, 14, 22, 61]);
});

test("an identifier of SLSA ends with the anchor of its requirement", () => {
  const slsa = controlPacks().filter(({ name }) => name.startsWith("slsa-"));
  expect(slsa).toHaveLength(2);
  for (const { name, source, controls } of slsa)
    for (const { identifier, links } of controls)
      expect(links["Requirement"]).toBe(identifier.replace(`${name.toUpperCase()}-`, `${source}#`));
});

test("every target of a crosswalk is a control of that pack", () => {
  const known = new Map(
    controlPacks().map(({ name, controls }) => [name, new Set(controls.map((each) => each.identifier))]),
  );
  const targets = controlPacks().flatMap(({ controls }) =>
    controls.flatMap(({ crosswalk }) =>
      Object.entries(crosswalk).flatMap(([pack, identifiers]) =>
        identifiers.map((id) => [pack, id] as const),
      ),
    ),
  );
  expect(targets.length).toBeGreaterThan(200);
  expect(targets.filter(([pack, id]) => !known.get(pack)?.has(id))).toEqual([]);
});

test("a requirement is answered by its own control and by those that map to it", () => {
  const slsa = controlPacks().find(({ name }) => name === "slsa-build");
  const distributed =
    slsa && requirementsOf(slsa).find(({ identifier }) => identifier.endsWith("distribute-provenance"));
  expect(distributed?.answeredBy).toEqual(["SLSA-BUILD-distribute-provenance", "OSPS-BR-06"]);
});
