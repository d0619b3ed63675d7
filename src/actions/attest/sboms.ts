import type { FileToSend } from "../../api/operation.ts";
import { describeSbom, mayBeSbom, START_BYTES } from "../../evidence/sbom/describe-sbom.ts";
import { whyNotRead } from "../../evidence/sbom/other-formats.ts";
import { type Named, type Sbom, sbomData } from "../../evidence/sbom/sbom.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Submission } from "./attestation-request.ts";
import { withFacts } from "./user-data.ts";

/** How tools and people name software bills of materials. Of others nobody expects that they are described. */
const NAMED_LIKE_ONE = /bom|cyclonedx|cdx|spdx/i;

/**
 * Adds to the user's data what software bills of materials among the files say of themselves; the files go as they
 * are.
 */
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
    // The file changed or vanished since it was found. Sending it says so, with its name.
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
