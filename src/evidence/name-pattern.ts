/**
 * Matches one name as Go's `path/filepath.Match` does, on which fingerprints depend. Unlike a shell's glob: no braces,
 * no `!`, `[^a]` negates, a leading dot is ordinary, and a malformed class is an error.
 */
export type NameMatcher = (name: string) => boolean;

type Token = "any characters" | ((character: string) => boolean);

export function hasWildcard(pattern: string): boolean {
  return /[*?[\\]/.test(pattern);
}

/** Expects no slashes. Undefined for a malformed pattern. */
export function compileNamePattern(pattern: string): NameMatcher | undefined {
  const tokens: Token[] = [];
  const characters = [...pattern];
  let at = 0;
  while (at < characters.length) {
    const character = characters[at++];
    if (character === "*") {
      tokens.push("any characters");
    } else if (character === "?") {
      tokens.push(() => true);
    } else if (character === "[") {
      const found = readClass(characters, at);
      if (found === undefined) return undefined;
      tokens.push(found.matches);
      at = found.end;
    } else {
      const literal = character === "\\" ? characters[at++] : character;
      if (literal === undefined) return undefined;
      tokens.push((candidate) => candidate === literal);
    }
  }
  return (name) => matchTokens(tokens, [...name]);
}

interface CharacterClass {
  matches: (character: string) => boolean;
  /** Index after `]`. */
  end: number;
}

/** Starts after the opening bracket. */
function readClass(characters: readonly string[], start: number): CharacterClass | undefined {
  const negated = characters[start] === "^";
  const ranges: { low: number; high: number }[] = [];
  let at = negated ? start + 1 : start;

  const readBound = (): number | undefined => {
    let bound = characters[at++];
    if (bound === "-" || bound === "]") return undefined;
    if (bound === "\\") bound = characters[at++];
    return bound?.codePointAt(0);
  };

  while (characters[at] !== "]" || ranges.length === 0) {
    const low = readBound();
    if (low === undefined) return undefined;
    let high: number | undefined = low;
    if (characters[at] === "-") {
      at++;
      high = readBound();
      if (high === undefined) return undefined;
    }
    ranges.push({ low, high });
  }
  const matches = (character: string): boolean => {
    const code = character.codePointAt(0) ?? -1;
    return ranges.some(({ low, high }) => low <= code && code <= high) !== negated;
  };
  return { matches, end: at + 1 };
}

/** Backtracks only to the last star, so the time is at most pattern times name. */
function matchTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let position = 0;
  let star = -1;
  let starPosition = 0;
  while (position < name.length) {
    const current = tokens[token];
    const character = name[position] ?? "";
    if (current === "any characters") {
      star = token++;
      starPosition = position;
    } else if (current?.(character)) {
      token++;
      position++;
    } else if (star >= 0) {
      token = star + 1;
      position = ++starPosition;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest === "any characters");
}
