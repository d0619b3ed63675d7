export interface Named {
  readonly name: string;
  /** May be empty. */
  readonly version: string;
}

/** An SBOM's summary, small enough to be recorded with an attestation. */
export interface Sbom {
  readonly format: "CycloneDX" | "SPDX";
  readonly serialization: "JSON" | "XML" | "tag-value" | "JSON-LD";
  /** `1.6`, `2.3`; may be empty. */
  readonly specVersion: string;
  /** Tools that generated it, not people or organizations. */
  readonly tools: readonly Named[];
  /** Number of components at any depth, without the subject. */
  readonly components: number;
  /** The one thing it describes, if that has a name. */
  readonly subject?: Named;
  /** Serial number, namespace or identifier; may be empty. */
  readonly id: string;
}

const MAX_TOOLS = 10;
const MAX_CHARACTERS = 300;

/** Truncates long texts and names each tool once. */
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

/** For `user_data`, in the interface's names. */
export function sbomData(file: string, sbom: Sbom): Record<string, unknown> {
  const { format, serialization, specVersion, tools, components, subject, id } = sbom;
  return { file, format, serialization, spec_version: specVersion, tools, components, subject, id };
}

/** For the system type `sbom`, in the interface's names. Null is unknown. */
export function sbomFacts({ format, specVersion, tools, components, subject }: Sbom) {
  return {
    format: [format.toLowerCase(), specVersion].filter(Boolean).join("-"),
    document: {
      created_at: null,
      tools: tools.map(inWords),
      subject: subject
        ? { name: subject.name, version: subject.version || null, purl: null, sha256: null }
        : null,
      package_count: components,
    },
  };
}

function inWords({ name, version }: Named): string {
  return `${name} ${version}`.trim();
}
