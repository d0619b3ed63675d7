import { asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { Named, Sbom } from "./sbom.ts";
import { onlyOne, toolNamed } from "./spdx.ts";

/** SPDX 3 is a flat list of elements that refer to one another. */
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
    ...(subject !== undefined && { subject: namedIn(subject) }),
    id: idOf(description),
  };
}

/** The root of the document may be an SBOM, whose root is what it is about. */
function subjectOf(description: Untyped, byId: ReadonlyMap<string, Untyped>): Untyped | undefined {
  const rootOf = (element: Untyped): Untyped | undefined =>
    byId.get(asText(onlyOne([element["rootElement"]].flat())));
  const root = rootOf(description);
  return root !== undefined && typeOf(root) === "software_Sbom" ? rootOf(root) : root;
}

function namedIn({ name, software_packageVersion: version }: Untyped): Named {
  return { name: asText(name), version: asText(version) };
}

function idOf(element: Untyped): string {
  return asText(element["spdxId"]) || asText(element["@id"]);
}

function typeOf(element: Untyped): string {
  return asText(element["type"]) || asText(element["@type"]);
}
