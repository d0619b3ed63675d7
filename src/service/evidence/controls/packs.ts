import { readFileSync } from "node:fs";
import * as z from "zod/mini";

const packedControl = z.strictObject({
  identifier: z.string(),
  name: z.string(),
  description: z.string(),
  /** Addresses by label. */
  links: z.record(z.string(), z.string()),
  /** Identifiers of the controls of other packs that a decision about this one also counts for, by pack. */
  crosswalk: z.record(z.string(), z.array(z.string())),
});
export type PackedControl = z.infer<typeof packedControl>;

/** The controls of a published framework. */
const controlPack = z.strictObject({
  name: z.string(),
  title: z.string(),
  version: z.string(),
  /** Address of the framework. */
  source: z.string(),
  license: z.string(),
  /** Origin of the texts and the identifiers. */
  notice: z.string(),
  controls: z.array(packedControl),
});
export type ControlPack = z.infer<typeof controlPack>;

const NAMES = ["osps", "slsa-build", "slsa-source", "cra-annex-i", "ssdf"];

let read: readonly ControlPack[] | undefined;

/** All packs. They are read once. */
export function controlPacks(): readonly ControlPack[] {
  read ??= NAMES.map((name) => {
    const file = readFileSync(new URL(`packs/${name}.json`, import.meta.url), "utf8");
    return controlPack.parse(JSON.parse(file));
  });
  return read;
}

export interface Requirement extends PackedControl {
  /** Identifiers of the controls whose decisions count for it: its own, then those of other packs. */
  readonly answeredBy: readonly string[];
}

/** The controls of a pack as requirements, in the order of the pack. */
export function requirementsOf(pack: ControlPack): readonly Requirement[] {
  const others = controlPacks().flatMap(({ controls }) => controls);
  return pack.controls.map((control) => {
    const { identifier } = control;
    const mapped = others.filter(({ crosswalk }) => crosswalk[pack.name]?.includes(identifier));
    return { ...control, answeredBy: [identifier, ...mapped.map((other) => other.identifier)] };
  });
}
