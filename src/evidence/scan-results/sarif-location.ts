import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { WrittenLocation } from "../source-location.ts";

/** Bases may refer to one another; more than a few do so in a circle. */
const MAX_BASES = 8;
const MAX_URI_CHARACTERS = 1000;

export interface SarifLocation {
  /** As the tool writes it; empty when the result has none. */
  readonly uri: string;
  /** What it may mean in the repository, the likeliest first. */
  readonly places: readonly WrittenLocation[];
}

/** Where a result is: the file and line of its first location in a file. */
export function locationOf(result: Untyped, run: Untyped): SarifLocation {
  const physical = asObjects(result["locations"])
    .map((location) => asObject(location["physicalLocation"]))
    .find((candidate) => "artifactLocation" in candidate);
  if (physical === undefined) return { uri: "", places: [] };
  const artifact = artifactOf(asObject(physical["artifactLocation"]), run);
  const uri = asText(artifact["uri"]).slice(0, MAX_URI_CHARACTERS);
  if (uri === "") return { uri, places: [] };
  const startLine = asObject(physical["region"])["startLine"];
  const line = typeof startLine === "number" && Number.isSafeInteger(startLine) ? { line: startLine } : {};
  const base = baseOf(asText(artifact["uriBaseId"]), run);
  const files = [base === "" ? "" : `${base.replace(/\/$/, "")}/${uri}`, uri].filter((file) => file !== "");
  return { uri, places: files.map((file) => ({ file: pathOf(file), ...line })) };
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
