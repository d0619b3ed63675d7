import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { linesText, type ReportedPlace } from "./reported-finding.ts";

/** Bases may refer to one another; more than a few do so in a circle. */
const MAX_BASES = 8;
const MAX_URI_CHARACTERS = 1000;

/** More places of one result would not help to fix it. */
const MAX_PLACES = 10;

/** Where a result is: the files and lines of its first locations in files. */
export function placesOf(result: Untyped, run: Untyped): ReportedPlace[] {
  return asObjects(result["locations"])
    .slice(0, MAX_PLACES)
    .map((location) => asObject(location["physicalLocation"]))
    .map((physical) => placeOf(physical, run))
    .filter(({ uri }) => uri !== "");
}

function placeOf(physical: Untyped, run: Untyped): ReportedPlace {
  const artifact = artifactOf(asObject(physical["artifactLocation"]), run);
  const uri = asText(artifact["uri"]).slice(0, MAX_URI_CHARACTERS);
  const { startLine, endLine } = asObject(physical["region"]);
  const first = lineOf(startLine);
  const last = lineOf(endLine);
  const line = first === undefined ? {} : { line: first };
  const base = baseOf(asText(artifact["uriBaseId"]), run);
  const files = [base === "" ? "" : `${base.replace(/\/$/, "")}/${uri}`, uri].filter((file) => file !== "");
  return {
    uri,
    lines: linesText(first, last),
    written: files.map((file) => ({ file: pathOf(file), ...line })),
  };
}

function lineOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function artifactOf(location: Untyped, run: Untyped): Untyped {
  const { index } = location;
  if (asText(location["uri"]) !== "" || typeof index !== "number") return location;
  const artifacts: unknown = run["artifacts"];
  return asObject(asObject(Array.isArray(artifacts) ? artifacts[index] : undefined)["location"]);
}

/** The absolute address of a base, when the run tells it: `file:///home/runner/work/shop/shop/`. */
function baseOf(id: string, run: Untyped): string {
  const bases = asObject(run["originalUriBaseIds"]);
  let path = "";
  let name = id;
  for (let depth = 0; depth < MAX_BASES && name !== ""; depth++) {
    const base = asObject(Object.hasOwn(bases, name) ? bases[name] : undefined);
    const uri = asText(base["uri"]);
    if (uri !== "") path = path === "" ? uri : `${uri.replace(/\/$/, "")}/${path}`;
    name = asText(base["uriBaseId"]);
  }
  return path.startsWith("file:") ? path : "";
}

/** The path that a URI writes: without `file:` and with its percent signs resolved. */
function pathOf(uri: string): string {
  const path = uri.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
