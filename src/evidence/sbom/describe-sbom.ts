import { parseJson } from "../../api/json.ts";
import { isObject } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import { decodeText } from "../text-encoding.ts";
import { describeCycloneDx } from "./cyclonedx.ts";
import { contentOf } from "./in-toto.ts";
import { type Sbom, within } from "./sbom.ts";
import { describeSpdx } from "./spdx.ts";
import { describeSpdxTagValue } from "./spdx-tag-value.ts";
import { describeSpdx3 } from "./spdx3.ts";

/** How many bytes tell whether the rest is worth reading. */
export const START_BYTES = 1024;

/** The first character of JSON, XML, or tags and values, which may have comments before them. */
const BEGINS_LIKE_ONE = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:[{<#S]|$)/;

/** Whether bytes that begin like this may be a bill of materials: an archive or an image is none. */
export function mayBeSbom(start: Uint8Array): boolean {
  return BEGINS_LIKE_ONE.test(Buffer.from(start).toString("latin1"));
}

/**
 * Describes a software bill of materials: CycloneDX in JSON or XML, SPDX 2 in JSON or as tags and values, SPDX 3 in
 * JSON-LD; bare, or as the predicate of an in-toto statement. Undefined when the bytes are none of these, or not whole.
 */
export async function describeSbom(bytes: Uint8Array): Promise<Sbom | undefined> {
  try {
    const sbom = await describe(bytes, true);
    return sbom && within(sbom);
  } catch (fault) {
    if (fault instanceof ReportFault) return undefined;
    throw fault;
  }
}

/** One of them stands in every JSON that is worth parsing; most attachments are other files. */
const JSON_MARKS = ['"bomFormat"', '"spdxVersion"', "spdx.org/rdf/3.", '"payloadType"', '"predicateType"'];
const XML_MARK = "cyclonedx.org/schema/bom/";

/** @param mayBeWrapped whether a document may be a statement about another one */
async function describe(bytes: Uint8Array, mayBeWrapped: boolean): Promise<Sbom | undefined> {
  const text = decodeText(bytes);
  const start = /\S/.exec(text)?.[0];
  if (start === "{") {
    if (!JSON_MARKS.some((mark) => text.includes(mark))) return undefined;
    const document = parseJson(text)?.value;
    if (!isObject(document)) return undefined;
    const content = mayBeWrapped ? contentOf(document) : document;
    if (typeof content === "string") return describe(Buffer.from(content), false);
    if (!isObject(content)) return undefined;
    return describeCycloneDx(content) ?? describeSpdx(content) ?? describeSpdx3(content);
  }
  if (start !== "<") return describeSpdxTagValue(text);
  if (!text.includes(XML_MARK)) return undefined;
  // Loaded only here: most are JSON.
  const { describeCycloneDxXml } = await import("./cyclonedx-xml.ts");
  return await describeCycloneDxXml(bytes);
}
