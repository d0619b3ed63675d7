import type { PlainEntry } from "../../api/resources/reports.ts";
import { asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { NameSelection } from "../../evidence/name-selection.ts";
import { objectIn, strangeAnswer, unixSeconds } from "../answers.ts";
import { pagesOf } from "../pages.ts";
import type { Aws } from "./aws.ts";

const HEX = /^[0-9a-f]{64}$/;

/**
 * The functions of a region, each with the sha256 of its deployment package or image, by name.
 *
 * @throws InputError, NetworkError if the functions cannot be read
 */
export async function readLambda(aws: Aws, selection: NameSelection): Promise<PlainEntry[]> {
  const entries = new Map<string, PlainEntry>();
  const unknown: string[] = [];
  const known: string[] = [];
  for await (const { functions } of pagesOf((marker) => functionsAfter(aws, marker))) {
    for (const description of functions) {
      const name = asText(description["FunctionName"]);
      if (name === "") continue;
      known.push(name);
      if (!selection.includes(name)) continue;
      const digest = digestOf(description);
      if (digest === undefined) unknown.push(name);
      else entries.set(name, { digests: { [name]: digest }, creationTimestamp: modifiedAt(description) });
    }
  }
  aws.cloud.warnOfMissing("include: no function is named", selection.missingFrom(known));
  aws.cloud.warnOfUnknown({ things: "functions", names: unknown, outcome: "not reported" });
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

/** Whether a region has any function. */
export async function hasFunctions(aws: Aws): Promise<boolean> {
  const { functions } = await functionsAfter(aws, "", 1);
  return functions.length > 0;
}

async function functionsAfter(aws: Aws, marker: string, most = 50) {
  const path = `/2015-03-31/functions/?MaxItems=${most}${marker && `&Marker=${encodeURIComponent(marker)}`}`;
  const answer = await aws.ask({ service: "lambda", right: "lambda:ListFunctions", path });
  const { Functions, NextMarker } = objectIn(answer);
  if (!Array.isArray(Functions)) throw strangeAnswer("Amazon lambda returned no list of functions");
  return { functions: asObjects(Functions), next: asText(NextMarker) };
}

/** A zip's sha256 is in base64, an image's in hex. */
function digestOf({ PackageType, CodeSha256 }: Untyped): string | undefined {
  const text = asText(CodeSha256);
  const hex = PackageType === "Image" ? text : Buffer.from(text, "base64").toString("hex");
  return HEX.test(hex) ? hex : undefined;
}

/** In Unix seconds. `2026-01-02T03:04:05.000+0000`, which has no colon. */
function modifiedAt({ LastModified }: Untyped): number {
  return unixSeconds(asText(LastModified).replace(/\+0000$/, "Z"));
}
