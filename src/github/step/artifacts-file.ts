import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod/mini";
import { InputError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { appendText } from "./file-commands.ts";
import { whyUnreadable } from "./file-faults.ts";
import type { Runner } from "./runner.ts";

/* The runner's files of artifacts: steps declare in one what they built, and read in the other what earlier steps did. */

/** Limits of the runner, which fails a step that exceeds them. */
const [MAX_BYTES, MAX_ARTIFACTS] = [1024 * 1024, 500];

const subject = z.object({
  name: z.string().check(z.minLength(1)),
  digest: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/i)),
  kind: z.enum(["file", "oci"]),
});

/** An artifact that an earlier step of the job declared. */
export interface DeclaredArtifact {
  /** Base name of a file, or name of an image without its digest. */
  readonly name: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

/**
 * Artifacts that earlier steps declared, each once.
 *
 * @throws {InputError} for a list that cannot be read, has no artifacts, or contradicts itself
 */
export function readDeclared(path: string): DeclaredArtifact[] {
  const { version, subjects } = listIn(path);
  if (version !== 1 || !Array.isArray(subjects))
    throw unusable("is not a list of version 1, the only one that this action knows");
  const unique = new Map<string, DeclaredArtifact>();
  for (const [index, each] of subjects.entries()) {
    const artifact = artifactIn(each);
    if (artifact === undefined)
      throw unusable(`has an entry ${index + 1} without name, sha256 or known kind`);
    unique.set(JSON.stringify(artifact), artifact);
  }
  const artifacts = [...unique.values()];
  if (artifacts.length === 0)
    throw unusable(
      "lists no artifacts: declare them in $GITHUB_ARTIFACTS in an earlier step, or set `artifact`",
    );
  for (const [index, { name, sha256 }] of artifacts.entries()) {
    for (const other of artifacts.slice(0, index)) {
      if (other.name === name) throw unusable(`lists '${name}' with two digests`);
      if (other.sha256 === sha256) throw unusable(`lists one digest as '${other.name}' and as '${name}'`);
    }
  }
  return artifacts;
}

function artifactIn(value: unknown): DeclaredArtifact | undefined {
  const { data } = z.safeParse(subject, value);
  return data && { name: data.name, sha256: data.digest.slice("sha256:".length).toLowerCase() };
}

function listIn(path: string): { readonly version?: unknown; readonly subjects?: unknown } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(whyUnreadable(error), error);
  }
  return Object(parseJson(text)?.value);
}

function unusable(problem: string, cause?: unknown): InputError {
  return new InputError([{ input: "GITHUB_ARTIFACTS_LIST", problem }], { cause });
}

/** By name, what this step declared. */
const declared = new Map<string, string>();

/** A file, by its path relative to the workspace, or an image, by its name without a digest. */
export interface Declarable {
  readonly kind: "file" | "oci";
  readonly place: string;
  readonly sha256: string;
}

/**
 * Declares an artifact for later steps, if the runner supports that. Returns the reason if it was not declared. The
 * runner fails a step with a wrong declaration, so a doubtful one is left out.
 */
export function declareArtifact(
  { kind, place, sha256 }: Declarable,
  { artifactsFile, artifactsList }: Pick<Runner, "artifactsFile" | "artifactsList">,
): string | undefined {
  if (artifactsFile === undefined) return undefined;
  const name = kind === "file" ? basename(place) : place;
  // The runner trims lines, ignores comments and takes addresses for images or other files.
  if (/^[\s#]|[\p{Cc}]|\s$/u.test(place) || (kind === "file" && place.includes("://")))
    return "the runner would misread its name";
  const line = kind === "file" ? place : `oci://${place}@sha256:${sha256}`;
  try {
    const earlier = earlierIn(artifactsList);
    const known = declared.get(name) ?? earlier.get(name);
    if (known !== undefined && known !== sha256) return `the job declared another artifact named '${name}'`;
    if (known !== undefined) return undefined;
    if (new Set([...earlier.keys(), ...declared.keys()]).size >= MAX_ARTIFACTS)
      return `the job declared ${MAX_ARTIFACTS} artifacts already`;
    if (statSync(artifactsFile).size + Buffer.byteLength(line) + 2 > MAX_BYTES)
      return "the step has declared too much already";
    appendText(artifactsFile, line);
    declared.set(name, sha256);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Digests by name. Empty for a list that cannot be read. */
function earlierIn(path: string | undefined): ReadonlyMap<string, string> {
  try {
    const { subjects } = path === undefined ? {} : listIn(path);
    const artifacts = Array.isArray(subjects) ? subjects.flatMap((each) => artifactIn(each) ?? []) : [];
    return new Map(artifacts.map(({ name, sha256 }) => [name, sha256]));
  } catch {
    return new Map();
  }
}
