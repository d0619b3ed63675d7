/** One way to log in that a server names in `WWW-Authenticate`. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** By their names in lower case. */
  readonly params: ReadonlyMap<string, string>;
}

const SCHEME = /[\s,]*([A-Za-z][\w.~+-]*)(?=\s|,|$)(?!\s*=)/y;
const PARAM = /[\s,]*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;

/**
 * The challenges of a `WWW-Authenticate` header (RFC 9110, 11.6.1), which may hold several in one line. What cannot
 * be read ends the line.
 */
export function parseChallenges(header: string | readonly string[] | undefined): readonly Challenge[] {
  return [header ?? []].flat().flatMap((line) => challengesOf(line));
}

function challengesOf(line: string): Challenge[] {
  const found: Challenge[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (let scheme = next(SCHEME); scheme; scheme = next(SCHEME)) {
    const params = new Map<string, string>();
    for (let param = next(PARAM); param; param = next(PARAM)) {
      const [, name = "", quoted, bare = ""] = param;
      params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? bare);
    }
    found.push({ scheme: (scheme[1] ?? "").toLowerCase(), params });
  }
  return found;
}
