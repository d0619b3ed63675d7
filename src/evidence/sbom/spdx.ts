import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { Named, Sbom } from "./sbom.ts";

const DOCUMENT = "SPDXRef-DOCUMENT";

export interface SpdxPackage extends Named {
  readonly id: string;
}

/** What the JSON and the tags and values of SPDX 2 have in common. */
export interface SpdxDocument {
  readonly version: string;
  readonly namespace: string;
  readonly creators: readonly string[];
  readonly packages: readonly SpdxPackage[];
  /** The identifiers of what the document says it describes. */
  readonly described: readonly string[];
}

export function describeSpdx(document: Untyped): Sbom | undefined {
  const version = asText(document["spdxVersion"]);
  if (!version.startsWith("SPDX-")) return undefined;
  return fromSpdxDocument(
    {
      version,
      namespace: asText(document["documentNamespace"]),
      creators: textsOf(asObject(document["creationInfo"])["creators"]),
      packages: asObjects(document["packages"]).map(({ SPDXID: id, name, versionInfo }) => ({
        id: asText(id),
        name: asText(name),
        version: asText(versionInfo),
      })),
      described: [
        ...textsOf(document["documentDescribes"]),
        ...asObjects(document["relationships"]).flatMap(describedBy),
      ],
    },
    "JSON",
  );
}

export function fromSpdxDocument(
  { version, namespace, creators, packages, described }: SpdxDocument,
  serialization: Sbom["serialization"],
): Sbom {
  const subject = onlyOne(packages.filter(({ id }) => id !== "" && described.includes(id)));
  return {
    format: "SPDX",
    serialization,
    specVersion: version.slice("SPDX-".length),
    tools: creators.flatMap((creator) => {
      const [, tool] = /^Tool:\s*(.+)$/.exec(creator) ?? [];
      return tool === undefined ? [] : [toolNamed(tool)];
    }),
    components: packages.length - (subject === undefined ? 0 : 1),
    ...(subject !== undefined && { subject: { name: subject.name, version: subject.version } }),
    id: namespace,
  };
}

/** SPDX writes a tool as one word: `syft-1.34.2`. */
export function toolNamed(text: string): Named {
  const [, name = text, version = ""] = /^(.{1,200}?)-(v?\d[\w.+-]*)$/.exec(text.trim()) ?? [];
  return { name, version };
}

export function onlyOne<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function describedBy({ spdxElementId, relationshipType, relatedSpdxElement }: Untyped): string[] {
  if (relationshipType === "DESCRIBES" && spdxElementId === DOCUMENT) return [asText(relatedSpdxElement)];
  if (relationshipType === "DESCRIBED_BY" && relatedSpdxElement === DOCUMENT) return [asText(spdxElementId)];
  return [];
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}
