/*
 * Describes the name patterns in words. Separate from the patterns, because the words are loaded only for an error.
 */

const WITH_DOTS =
  "must consist of letters, digits, dots, hyphens, underscores and tildes, and begin with a letter or digit";
const HEX = "digits and the letters a to f";

/** Words by pattern without backslashes, because services escape different characters. */
const WORDS = new Map([
  ["^[a-zA-Z0-9][a-zA-Z0-9.-_~]*$", WITH_DOTS],
  ["^[a-zA-Z0-9][a-zA-Z0-9-_.~]*$", WITH_DOTS],
  [
    "^[a-zA-Z0-9][a-zA-Z0-9.-_]*$",
    "must consist of letters, digits, dots, hyphens and underscores, and begin with a letter or digit",
  ],
  ["^[a-zA-Z0-9-_]+$", "must consist of letters, digits, hyphens and underscores"],
  ["^[a-zA-Z0-9-_,]+$", "must consist of letters, digits, hyphens, underscores and commas"],
  [
    "^[a-zA-Z0-9][a-zA-Z0-9-_.~/]*$",
    "must consist of letters, digits, hyphens, underscores, dots, tildes and slashes, and begin with a letter or digit",
  ],
  [
    "^[a-zA-Z0-9-._~]*[a-zA-Z0-9-_~][a-zA-Z0-9-._~]*$",
    "must consist of letters, digits, hyphens, dots, underscores and tildes, and not of dots alone",
  ],
  ["^[a-zA-Z0-9-._~]+$", "must consist of letters, digits, hyphens, dots, underscores and tildes"],
  [
    "^[a-zA-Z0-9][a-zA-Z0-9-_~]*$",
    "must consist of letters, digits, hyphens, underscores and tildes, and begin with a letter or digit",
  ],
  [
    "^(generic|junit|snyk|pull_request|jira|sonar|decision|sbom|custom:.+|system:.+)$",
    "must be generic, junit, snyk, pull_request, jira, sonar, decision, sbom, or custom: or system: and the name of a type",
  ],
  [
    "^(generic|junit|snyk|pull_request|jira|sonar|decision|sbom|*|custom:.+|system:.+)$",
    "must be generic, junit, snyk, pull_request, jira, sonar, decision, sbom, custom: or system: and the name of a type, or * for any type",
  ],
  ["^[a-zA-Z0-9-]+$", "must consist of letters, digits and hyphens"],
  ["^[a-f0-9]{64}$", `must be 64 ${HEX}`],
  ["^sha256:[a-f0-9]{64}$", `must be sha256: and 64 ${HEX}`],
  ["^[a-f0-9]{5,64}$", `must be 5 to 64 ${HEX}`],
  ["^[a-f0-9]{40}$", `must be 40 ${HEX}`],
  ["^[a-f0-9]{5,40}$", `must be 5 to 40 ${HEX}`],
  ["^[a-fA-F0-9]{5,64}$", `must be 5 to 64 ${HEX}`],
  ["^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$", "must be the id of a record"],
  ["^[^=.]+$", "must not contain an equals sign or a dot"],
  ["^[A-Za-z0-9_-]+$", "must consist of letters, digits, underscores and hyphens"],
  ["^[w.-]+/(?:[w.-]+|*)$", "must be OWNER/REPOSITORY, or OWNER/* for all repositories of the owner"],
  ["^[w-]{1,64}$", "must be 1 to 64 letters, digits, underscores and hyphens"],
  ["^[w{}-]{1,128}$", "must be 1 to 128 letters, digits, underscores, hyphens and braces"],
  ["^[^s/].*$", "must be one line, and not begin with a space or a slash"],
  ["^d{1,20}$", "must be a number of at most 20 digits"],
  ["^[a-zA-Z][w.:/-]{0,127}$", "must be the name of a claim"],
  ["^[x21-x7e]+$", "must be printable characters without spaces"],
  [
    "^(generic|junit|snyk|pull_request|jira|sonar|custom:.*|system:.*)$",
    "must be generic, junit, snyk, pull_request, jira, sonar, or custom: and the name of a type",
  ],
]);

/** Describes what a pattern allows; undefined for an unknown pattern. */
export function allowedBy(pattern: string): string | undefined {
  return WORDS.get(pattern.replaceAll("\\", ""));
}

/** Replaces the pattern in a field error with words. Returns other texts unchanged. */
export function withoutPattern(text: string): string {
  const [, pattern = "", value] =
    /^String should match pattern '(.*)'(?: \[input: (.*)\])?$/s.exec(text) ?? [];
  const allowed = allowedBy(pattern);
  if (allowed === undefined) return text;
  return value === undefined ? allowed : `${allowed}, not '${value}'`;
}
