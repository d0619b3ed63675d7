/** One line of what a server runs. */
export interface NamedPath {
  /** What the artifact is called; its absolute path unless given. */
  readonly name?: string;
  /** A path, or a glob. */
  readonly pattern: string;
  /** What it matches is taken back. */
  readonly takenBack: boolean;
}

/** A text that begins so is a path, whatever else it holds. */
const PATH_START = /^(?:[./\\]|[A-Za-z]:[\\/])/;
const WILDCARD = /[*?[{(]/;

/**
 * Reads `path`, `name=path` or `!path`. What stands before a `=` is a name unless it looks like a path: `./a=b` and
 * `/srv/a=b` are paths.
 */
export function parseNamedPath(line: string): NamedPath {
  if (line.startsWith("!")) return { pattern: line.slice(1).trim(), takenBack: true };
  const at = line.indexOf("=");
  const name = line.slice(0, Math.max(at, 0)).trim();
  if (name === "" || PATH_START.test(name) || WILDCARD.test(name)) return { pattern: line, takenBack: false };
  return { name, pattern: line.slice(at + 1).trim(), takenBack: false };
}
