import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { Named, Sbom } from "./sbom.ts";

const DOCUMENT = "SPDXRef-DOCUMENT";

interface SpdxPackage extends Named {
  readonly id: string;
}

/** Common to the JSON and the tags and values of SPDX 2. */
interface SpdxDocument {
  readonly version: string;
  readonly namespace: string;
  readonly creators: readonly string[];
  readonly packages: readonly SpdxPackage[];
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
        ...asObjects(document["relationships"]).flatMap(
          ({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to }) =>
            describedBy(asText(from), asText(type), asText(to)),
        ),
      ],
    },
    "JSON",
  );
}

function fromSpdxDocument(
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

/** A tool is one word in SPDX: `syft-1.34.2`. */
function toolNamed(text: string): Named {
  const [, name = text, version = ""] = /^(.{1,200}?)-(v?\d[\w.+-]*)$/.exec(text.trim()) ?? [];
  return { name, version };
}

function onlyOne<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function describedBy(from: string, type: string, to: string): string[] {
  if (type === "DESCRIBES" && from === DOCUMENT) return [to];
  return type === "DESCRIBED_BY" && to === DOCUMENT ? [from] : [];
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** Only comments and empty lines may precede the first tag. */
const TAG_VALUE_START = /^(?:\s|#[^\n]*\n)*SPDXVersion:[ \t]*SPDX-/;

const MAX_START_CHARACTERS = 10_000;

/** Each line has a tag, a colon and a value; `<text>` and `</text>` enclose values of several lines. */
export function describeSpdxTagValue(text: string): Sbom | undefined {
  if (!TAG_VALUE_START.test(text.slice(0, MAX_START_CHARACTERS))) return undefined;
  const first = new Map<string, string>();
  const creators: string[] = [];
  const described: string[] = [];
  const packages: SpdxPackage[] = [];
  // An SPDXID belongs to the package before it until a file, snippet or license begins.
  let current: { id: string; name: string; version: string } | undefined;
  for (const [tag, value] of tagsIn(text)) {
    if (!first.has(tag)) first.set(tag, value);
    if (tag === "Creator") creators.push(value);
    if (tag === "Relationship") {
      const [from = "", type = "", to = ""] = value.split(/\s+/);
      described.push(...describedBy(from, type, to));
    }
    if (tag === "PackageName") {
      current = { id: "", name: value, version: "" };
      packages.push(current);
    } else if (["FileName", "SnippetSPDXID", "LicenseID"].includes(tag)) {
      current = undefined;
    } else if (current !== undefined && tag === "SPDXID") {
      current.id = value;
    } else if (current !== undefined && tag === "PackageVersion") {
      current.version = value;
    }
  }
  const version = first.get("SPDXVersion") ?? "";
  const namespace = first.get("DocumentNamespace") ?? "";
  return fromSpdxDocument({ version, namespace, creators, packages, described }, "tag-value");
}

function* tagsIn(text: string): Generator<[tag: string, value: string]> {
  let isInText = false;
  for (const line of text.split(/\r?\n/)) {
    if (isInText) {
      isInText = !line.includes("</text>");
      continue;
    }
    const [, tag, value = ""] = /^([A-Za-z]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (tag === undefined) continue;
    isInText = value.startsWith("<text>") && !value.includes("</text>");
    yield [tag, value.trim()];
  }
}

/** SPDX 3 is a flat list of elements with references to each other. */
export function describeSpdx3(document: Untyped): Sbom | undefined {
  const contexts = [document["@context"]].flat().map(asText);
  if (!contexts.some((context) => /^https?:\/\/spdx\.org\/rdf\/3\./.test(context))) return undefined;
  const elements = "@graph" in document ? asObjects(document["@graph"]) : [document];
  const byId = new Map(elements.map((element) => [idOf(element), element]));
  const ofType = (type: string) => elements.filter((element) => typeOf(element) === type);
  const [description = {}] = ofType("SpdxDocument");
  const packages = ofType("software_Package");
  const subject = subjectOf(description, byId);
  const creations = ofType("CreationInfo");
  return {
    format: "SPDX",
    serialization: "JSON-LD",
    specVersion: creations.map(({ specVersion }) => asText(specVersion)).find(Boolean) ?? "",
    tools: creations
      .flatMap(({ createdUsing }) => [createdUsing].flat())
      .flatMap((id) => asObjects([byId.get(asText(id))]))
      .map(({ name }) => toolNamed(asText(name))),
    components: packages.length - (subject !== undefined && packages.includes(subject) ? 1 : 0),
    ...(subject !== undefined && { subject: packageNamed(subject) }),
    id: idOf(description),
  };
}

/** The document's root may be an SBOM, whose root is the subject. */
function subjectOf(description: Untyped, byId: ReadonlyMap<string, Untyped>): Untyped | undefined {
  const rootOf = (element: Untyped): Untyped | undefined =>
    byId.get(asText(onlyOne([element["rootElement"]].flat())));
  const root = rootOf(description);
  return root !== undefined && typeOf(root) === "software_Sbom" ? rootOf(root) : root;
}

function packageNamed({ name, software_packageVersion: version }: Untyped): Named {
  return { name: asText(name), version: asText(version) };
}

function idOf(element: Untyped): string {
  return asText(element["spdxId"]) || asText(element["@id"]);
}

function typeOf(element: Untyped): string {
  return asText(element["type"]) || asText(element["@type"]);
}
