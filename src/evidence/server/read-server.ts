import { stat } from "node:fs/promises";
import { InputError } from "../../api/client/errors.ts";
import type { PlainEntry } from "../../api/resources/reports.ts";
import { fingerprintDirectory } from "../directory-fingerprint.ts";
import { fingerprintFile } from "../fingerprint.ts";
import { whyUnusable } from "../unusable-path.ts";
import { type FoundPath, findPaths, type PathsRequest } from "./find-paths.ts";

export interface ServerRequest extends PathsRequest {
  /** Globs of what to leave out of the fingerprint of a directory, relative to it. */
  readonly exclude: readonly string[];
  /** Ends the work between two artifacts, for a reason of its own. */
  readonly signal: AbortSignal;
}

/** A file or directory with its fingerprint. */
export interface ServerArtifact {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly fingerprint: string;
  readonly entry: PlainEntry;
}

/**
 * The files and directories that a server runs, each with its fingerprint and the time it was changed last.
 *
 * @throws {InputError} (`paths`, `exclude`) when one of them cannot be read whole: the others alone would say that it
 * runs no more
 */
export async function readServer(request: ServerRequest): Promise<ServerArtifact[]> {
  const artifacts: ServerArtifact[] = [];
  for (const found of await findPaths(request)) {
    request.signal.throwIfAborted();
    artifacts.push(await readArtifact(found, request));
  }
  if (request.exclude.length > 0 && !artifacts.some(({ kind }) => kind === "directory"))
    request.onWarning("exclude is of use only for directories, and paths finds none");
  return artifacts;
}

async function readArtifact({ name, path }: FoundPath, { exclude }: ServerRequest): Promise<ServerArtifact> {
  const unusable = (cause: unknown) =>
    new InputError([{ input: "paths", problem: `'${path}' ${whyUnusable(cause)}` }], { cause });
  try {
    const stats = await stat(path).catch((error: unknown) => {
      throw unusable(error);
    });
    const kind = stats.isDirectory() ? "directory" : "file";
    const fingerprint =
      kind === "directory" ? await fingerprintDirectory(path, { exclude }) : await fingerprintFile(path);
    // Of a directory its own time, not that of the newest file in it: so do other clients.
    const creationTimestamp = Math.floor(stats.mtimeMs / 1000);
    return { name, kind, fingerprint, entry: { digests: { [name]: fingerprint }, creationTimestamp } };
  } catch (error) {
    throw error instanceof InputError ? byPaths(error) : error;
  }
}

/** What takes fingerprints speaks of the input `artifact`. */
function byPaths(error: InputError): InputError {
  const problems = error.problems.map((problem) =>
    problem.input === "artifact" ? { ...problem, input: "paths" } : problem,
  );
  return new InputError(problems, { advice: error.advice, cause: error });
}
