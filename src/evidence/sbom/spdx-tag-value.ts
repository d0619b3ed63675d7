import type { Sbom } from "./sbom.ts";
import { fromSpdxDocument, type SpdxPackage } from "./spdx.ts";

/** Before the first tag there may be comments and empty lines, and nothing else. */
const BEGINS = /^(?:\s|#[^\n]*\n)*SPDXVersion:[ \t]*SPDX-/;

const MAX_START_CHARACTERS = 10_000;

/** SPDX 2 as lines of a tag, a colon and a value, which may be a text of several lines between `<text>` and `</text>`. */
export function describeSpdxTagValue(text: string): Sbom | undefined {
  if (!BEGINS.test(text.slice(0, MAX_START_CHARACTERS))) return undefined;
  const first = new Map<string, string>();
  const creators: string[] = [];
  const described: string[] = [];
  const packages: SpdxPackage[] = [];
  // An SPDXID belongs to the package before it only until a file, a snippet or a license begins.
  let current: { id: string; name: string; version: string } | undefined;
  for (const [tag, value] of tagsIn(text)) {
    if (!first.has(tag)) first.set(tag, value);
    if (tag === "Creator") creators.push(value);
    if (tag === "Relationship") described.push(...describedBy(value));
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

function describedBy(relationship: string): string[] {
  const [from, type, to] = relationship.split(/\s+/);
  if (from === "SPDXRef-DOCUMENT" && type === "DESCRIBES" && to !== undefined) return [to];
  if (to === "SPDXRef-DOCUMENT" && type === "DESCRIBED_BY" && from !== undefined) return [from];
  return [];
}
