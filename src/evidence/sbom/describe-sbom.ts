import { parseJson } from "../../api/json.ts";
import { isObject } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import { decodeText } from "../text-encoding.ts";
import { describeCycloneDx } from "./cyclonedx.ts";
import { type Sbom, within } from "./sbom.ts";
import { describeSpdx } from "./spdx.ts";
import { describeSpdxTagValue } from "./spdx-tag-value.ts";
import { describeSpdx3 } from "./spdx3.ts";

/**
 * Describes a software bill of materials: CycloneDX in JSON or XML, SPDX 2 in JSON or as tags and values, SPDX 3 in
 * JSON-LD. Undefined when the bytes are none of these, or not whole.
 */
export async function describeSbom(bytes: Uint8Array): Promise<Sbom | undefined> {
  try {
    const sbom = await describe(bytes);
    return sbom && within(sbom);
  } catch (fault) {
    if (fault instanceof ReportFault) return undefined;
    throw fault;
  }
}

async function describe(bytes: Uint8Array): Promise<Sbom | undefined> {
  const text = decodeText(bytes);
  const start = /\S/.exec(text)?.[0];
  if (start === "{") {
    const document = parseJson(text)?.value;
    if (!isObject(document)) return undefined;
    return describeCycloneDx(document) ?? describeSpdx(document) ?? describeSpdx3(document);
  }
  if (start !== "<") return describeSpdxTagValue(text);
  // Loaded only here: most are JSON.
  const { describeCycloneDxXml } = await import("./cyclonedx-xml.ts");
  return await describeCycloneDxXml(bytes);
}
