import { parseJson } from "../../api/json.ts";
import { asObject, asObjects, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import { decodeText } from "../text-encoding.ts";
import { type Named, type Sbom, within } from "./sbom.ts";
import { describeSpdx, describeSpdx3, describeSpdxTagValue } from "./spdx.ts";

/** Bytes at the start that show whether a file may be an SBOM. */
export const START_BYTES = 1024;

/** First character of JSON, XML, or tags and values, which may follow comments. */
const BEGINS_LIKE_ONE = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:[{<#S]|$)/;

/** Rules out archives and images, for example. */
export function mayBeSbom(start: Uint8Array): boolean {
  return BEGINS_LIKE_ONE.test(Buffer.from(start).toString("latin1"));
}

/**
 * Describes CycloneDX in JSON or XML, SPDX 2 in JSON or as tags and values, SPDX 3 in JSON-LD; bare, or in an in-toto
 * statement. Undefined for anything else, or an incomplete document.
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

/** Every JSON SBOM contains one of these; most attachments are other files. */
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

/**
 * The predicate of an in-toto statement, which may be in a DSSE envelope and that in a Sigstore bundle; else the
 * document. Signatures are not checked.
 */
function contentOf(document: Untyped): unknown {
  const envelope = "dsseEnvelope" in document ? asObject(document["dsseEnvelope"]) : document;
  const statement = "payloadType" in envelope ? payloadOf(envelope) : envelope;
  return "predicateType" in statement ? statement["predicate"] : statement;
}

function payloadOf(envelope: Untyped): Untyped {
  const text = Buffer.from(asText(envelope["payload"]), "base64").toString();
  return asObject(parseJson(text)?.value);
}

/** Unsupported formats by how they begin, and how to get a supported one. */
const OTHERS: readonly { readonly format: string; readonly begins: RegExp; readonly advice: string }[] = [
  ...[
    { format: "SPDX as YAML", begins: /^(?:SPDXID|spdxVersion): /m },
    { format: "SPDX as RDF", begins: /<rdf:RDF[^>]*spdx\.org\/rdf\// },
    { format: "SPDX as XML", begins: /<(?:SPDXID|spdxVersion)>/ },
  ].map((spdx) => ({
    ...spdx,
    advice: "convert it to JSON, for example with `pyspdxtools --infile FILE --outfile sbom.spdx.json`",
  })),
  {
    format: "OpenVEX",
    begins: /"@context"\s*:\s*"https:\/\/openvex\.dev\//,
    advice: "it lists no components, so attest it with `kind: generic`",
  },
];

/** Why a file that begins like this is unsupported; undefined if unknown. */
export function whyNotRead(start: string): string | undefined {
  const known = OTHERS.find(({ begins }) => begins.test(start));
  return known && `is ${known.format}, which is not supported: ${known.advice}`;
}

function describeCycloneDx(bom: Untyped): Sbom | undefined {
  if (bom["bomFormat"] !== "CycloneDX") return undefined;
  const metadata = asObject(bom["metadata"]);
  return {
    format: "CycloneDX",
    serialization: "JSON",
    specVersion: asText(bom["specVersion"]),
    tools: toolsIn(metadata["tools"]),
    components: countComponents(bom),
    subject: namedIn(asObject(metadata["component"])),
    id: asText(bom["serialNumber"]),
  };
}

/** A list until version 1.4; later also an object of components and services. */
function toolsIn(tools: unknown): Named[] {
  const { components, services } = asObject(tools);
  return [...asObjects(tools), ...asObjects(components), ...asObjects(services)].map(namedIn);
}

function namedIn({ name, version }: Untyped): Named {
  return { name: asText(name), version: asText(version) };
}

/** Components may contain components, at any depth. */
function countComponents(bom: Untyped): number {
  let count = 0;
  const open = [...asObjects(bom["components"])];
  for (let component = open.pop(); component !== undefined; component = open.pop()) {
    count += 1;
    for (const inner of asObjects(component["components"])) open.push(inner);
  }
  return count;
}
