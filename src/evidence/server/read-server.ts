import { stat } from "node:fs/promises";
import { InputError } from "../../api/client/errors.ts";
import type { PlainEntry } from "../../api/resources/reports.ts";
import { fingerprintDirectory } from "../directory-fingerprint.ts";
import { fingerprintFile } from "../fingerprint.ts";
import { unusableFile, whyUnusable } from "../unusable-path.ts";
import { type FoundPath, findPaths, type PathsRequest } from "./find-paths.ts";

export interface ServerRequest extends PathsRequest {
  /** Globs to exclude from directories, relative to each. */
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
}

export interface ServerArtifact {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly fingerprint: string;
  readonly entry: PlainEntry;
}

/**
 * Reads the artifacts of a server, with fingerprints and modification times.
 *
 * @throws {InputError} (`paths`, `exclude`) if any of them is unreadable: its absence would mean that it no longer
 * runs
 */
export async function readServer(request: ServerRequest): Promise<ServerArtifact[]> {
  const artifacts: ServerArtifact[] = [];
  for (const found of await findPaths(request)) {
    request.signal.throwIfAborted();
    artifacts.push(await readArtifact(found, request));
  }
  if (request.exclude.length > 0 && !artifacts.some(({ kind }) => kind === "directory"))
    request.onWarning("`exclude` is used only for directories, but `paths` matches none");
  return artifacts;
}

async function readArtifact({ name, path }: FoundPath, { exclude }: ServerRequest): Promise<ServerArtifact> {
  try {
    const stats = await stat(path).catch((cause: unknown) => {
      throw unusableFile("paths", `'${path}' ${whyUnusable(cause)}`, { cause });
    });
    const kind = stats.isDirectory() ? "directory" : "file";
    const fingerprint =
      kind === "directory" ? await fingerprintDirectory(path, { exclude }) : await fingerprintFile(path);
    // As in other clients, a directory's own time, not that of its newest file.
    const creationTimestamp = Math.floor(stats.mtimeMs / 1000);
    return { name, kind, fingerprint, entry: { digests: { [name]: fingerprint }, creationTimestamp } };
  } catch (error) {
    throw error instanceof InputError ? byPaths(error) : error;
  }
}

/** Errors of fingerprints name the input `artifact`. */
function byPaths(error: InputError): InputError {
  const problems = error.problems.map((problem) =>
    problem.input === "artifact" ? { ...problem, input: "paths" } : problem,
  );
  return new InputError(problems, { advice: error.advice, cause: error });
}
