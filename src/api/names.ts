import * as z from "zod/mini";
import { MAX_ADDRESS, shortText } from "./texts.ts";

/** The name patterns of the interface, and the identifiers it uses. */

/** The longest a name may be, in characters: so that it fits into an address several times. */
const MAX_NAME = 255;

/** What each pattern allows, in words for people. */
const inWords = new Map<string, string>();

/** A text of this pattern, and what that means: `must consist of letters and digits`. */
export function patterned(pattern: RegExp, words: string) {
  inWords.set(unescaped(pattern.source), words);
  return shortText.check(z.regex(pattern));
}

/** What a pattern allows, in words; undefined for one that is not the interface's. */
export function allowedBy(pattern: string): string | undefined {
  return inWords.get(unescaped(pattern));
}

/** Services differ in what they escape. */
function unescaped(pattern: string): string {
  return pattern.replaceAll("\\", "");
}

const named = (pattern: RegExp, words: string) => patterned(pattern, words).check(z.maxLength(MAX_NAME));

const WITH_DOTS =
  "must consist of letters, digits, dots, hyphens, underscores and tildes, and begin with a letter or digit";
const HEX = "digits and the letters a to f";

export const flowName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/, WITH_DOTS);
export const trailName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/, WITH_DOTS);
export const environmentName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/, WITH_DOTS);
/*
 * What a new name is refused with shows its pattern as it stands here, and clients look for the backslashes. A new
 * name of an environment has no tilde, which older names may have.
 */
// biome-ignore lint/complexity/noUselessEscapeInRegex: shown to users as it is written
export const newFlowName = named(/^[a-zA-Z0-9][a-zA-Z0-9\.\-_~]*$/, WITH_DOTS);
export const newEnvironmentName = named(
  // biome-ignore lint/complexity/noUselessEscapeInRegex: shown to users as it is written
  /^[a-zA-Z0-9][a-zA-Z0-9\.\-_]*$/,
  "must consist of letters, digits, dots, hyphens and underscores, and begin with a letter or digit",
);
/** The name of an artifact in a flow template. */
export const artifactName = named(
  /^[a-zA-Z0-9\-_]+$/,
  "must consist of letters, digits, hyphens and underscores",
);
export const attestationName = named(
  /^[a-zA-Z0-9\-_,]+$/,
  "must consist of letters, digits, hyphens, underscores and commas",
);
export const actionName = named(
  /^[a-zA-Z0-9][a-zA-Z0-9\-_.~/]*$/,
  "must consist of letters, digits, hyphens, underscores, dots, tildes and slashes, and begin with a letter or digit",
);
export const policyName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/, WITH_DOTS);

export const controlIdentifier = patterned(
  /^[a-zA-Z0-9\-._~]+$/,
  "must consist of letters, digits, hyphens, dots, underscores and tildes",
).check(z.minLength(1), z.maxLength(256));

export const customTypeName = named(
  /^[a-zA-Z0-9][a-zA-Z0-9\-_~]*$/,
  "must consist of letters, digits, hyphens, underscores and tildes, and begin with a letter or digit",
);
/** What an attestation is: a built-in kind, or a custom or system type by its name. */
export const attestationType = named(
  /^(generic|junit|snyk|pull_request|jira|sonar|decision|custom:.+|system:.+)$/,
  "must be generic, junit, snyk, pull_request, jira, sonar, decision, or custom: and the name of a type",
);

export const serviceAccountName = named(
  /^[a-zA-Z0-9-]+$/,
  "must consist of letters, digits and hyphens",
).check(z.maxLength(64));

/** A sha256 in lower-case hex. */
export const fingerprint = named(/^[a-f0-9]{64}$/, `must be 64 ${HEX}`);
/** A fingerprint, or enough of its start to tell it from the others. */
export const fingerprintPrefix = named(/^[a-f0-9]{5,64}$/, `must be 5 to 64 ${HEX}`);
export const commitSha = named(/^[a-f0-9]{40}$/, `must be 40 ${HEX}`);
/** A commit, or enough of its start to tell it from the others. */
export const commitShaPrefix = named(/^[a-f0-9]{5,40}$/, `must be 5 to 40 ${HEX}`);
/** A fingerprint or a commit, or enough of its start, in any letter case. */
export const shaPrefix = named(/^[a-fA-F0-9]{5,64}$/, `must be 5 to 64 ${HEX}`);
/** The form of the ids that the service gives to its records. */
export const recordId = named(
  /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/,
  "must be an id as the service gives it",
);
export const tagKey = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/, WITH_DOTS);

/** A path parameter that names something: the service says whether it exists. */
export const reference = shortText.check(z.minLength(1));

/** Only web addresses: they are shown as links, where `javascript:` would run. */
export const webAddress = z.url({ protocol: /^https?$/ }).check(z.maxLength(MAX_ADDRESS));
