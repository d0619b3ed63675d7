/** Something with a name and, where it is known, a version. */
export interface Named {
  readonly name: string;
  /** Empty when it is not told. */
  readonly version: string;
}

/** What a software bill of materials says of itself, small enough to stand beside an attestation. */
export interface Sbom {
  readonly format: "CycloneDX" | "SPDX";
  readonly serialization: "JSON" | "XML" | "tag-value" | "JSON-LD";
  /** `1.6`, `2.3`. Empty when it is not told. */
  readonly specVersion: string;
  /** What made it; people and organizations are left out. */
  readonly tools: readonly Named[];
  /** How many components are listed, at any depth. What the document describes is not one of its components. */
  readonly components: number;
  /** What it describes, when that is one thing with a name. */
  readonly subject?: Named;
  /** Its serial number, namespace or identifier; empty when it has none. */
  readonly id: string;
}

const MAX_TOOLS = 10;
const MAX_CHARACTERS = 300;

/** The description with all that is too long to show cut off, and each tool named once. */
export function within({ subject, tools, ...sbom }: Sbom): Sbom {
  const cut = ({ name, version }: Named): Named => ({ name: short(name), version: short(version) });
  const byName = new Map(
    tools
      .filter(({ name }) => name.trim() !== "")
      .map(cut)
      .map((tool) => [`${tool.name}\n${tool.version}`, tool]),
  );
  return {
    ...sbom,
    specVersion: short(sbom.specVersion),
    id: short(sbom.id),
    tools: [...byName.values()].slice(0, MAX_TOOLS),
    ...(subject !== undefined && subject.name.trim() !== "" && { subject: cut(subject) }),
  };
}

function short(text: string): string {
  return text.trim().slice(0, MAX_CHARACTERS);
}

/** A description in the names of the interface, to stand in `user_data`. */
export function sbomData(file: string, sbom: Sbom): Record<string, unknown> {
  const { format, serialization, specVersion, tools, components, subject, id } = sbom;
  return { file, format, serialization, spec_version: specVersion, tools, components, subject, id };
}
