import type { FileToSend } from "../../api/operation.ts";
import { describeSbom, mayBeSbom, START_BYTES, whyNotRead } from "../../evidence/sbom/describe-sbom.ts";
import { type Named, type Sbom, sbomData } from "../../evidence/sbom/sbom.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Submission } from "./attestation-request.ts";
import { withFacts } from "./user-data.ts";

/** Usual names of SBOM files. Other files are not read. */
const NAMED_LIKE_ONE = /bom|cyclonedx|cdx|spdx/i;

/** Adds the SBOMs' own descriptions to the user's data. The files are sent unchanged. */
export async function describeSboms(
  files: readonly FileToSend[],
  fields: Submission["fields"],
  { info }: Pick<ActionContext, "info">,
): Promise<Pick<Submission, "fields" | "tables" | "unread">> {
  const described: { name: string; sbom: Sbom }[] = [];
  const unread: string[] = [];
  for (const { name, content } of files) {
    const sbom = await sbomIn(content);
    if (sbom) {
      described.push({ name, sbom });
      continue;
    }
    const why = await whyNotIn(content);
    if (why !== undefined) unread.push(`'${name}' ${why}`);
    if (why !== undefined || NAMED_LIKE_ONE.test(name))
      info(`'${name}' ${why ?? "is not an SBOM of a format known here"}; it is attached as it is.`);
  }
  if (described.length === 0) return { fields, tables: [], unread };
  const table = { columns: ["SBOM", "Format", "Components", "Made by"], rows: described.map(rowOf) };
  const summaries = described.map(({ name, sbom }) => sbomData(name, sbom));
  return { fields: withFacts(fields, { sbom: summaries }), tables: [table], unread };
}

async function sbomIn(content: Blob): Promise<Sbom | undefined> {
  try {
    const start = await content.slice(0, START_BYTES).bytes();
    return mayBeSbom(start) ? await describeSbom(await content.bytes()) : undefined;
  } catch (error) {
    // The file changed or vanished. Sending it reports that with its name.
    if (error instanceof DOMException && error.name === "NotReadableError") return undefined;
    throw error;
  }
}

async function whyNotIn(content: Blob): Promise<string | undefined> {
  try {
    return whyNotRead(await content.slice(0, START_BYTES).text());
  } catch {
    return undefined;
  }
}

function rowOf({ name, sbom }: { name: string; sbom: Sbom }): string[] {
  const { format, specVersion, components, tools } = sbom;
  return [name, `${format} ${specVersion}`.trim(), String(components), tools.map(words).join(", ")];
}

function words({ name, version }: Named): string {
  return `${name} ${version}`.trim();
}
