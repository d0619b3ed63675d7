import * as z from "zod/mini";
import { MAX_ADDRESS, shortText } from "./texts.ts";

/** The name patterns of the interface, and the identifiers it uses. */

/** The longest a name may be, in characters: so that it fits into an address several times. */
const MAX_NAME = 255;

const named = (pattern: RegExp) => z.string().check(z.regex(pattern), z.maxLength(MAX_NAME));

export const flowName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
export const trailName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);
export const environmentName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
/*
 * What a new name is refused with shows its pattern as it stands here, and clients look for the backslashes. A new
 * name of an environment has no tilde, which older names may have.
 */
// biome-ignore lint/complexity/noUselessEscapeInRegex: shown to users as it is written
export const newFlowName = named(/^[a-zA-Z0-9][a-zA-Z0-9\.\-_~]*$/);
export const newEnvironmentName = named(
  // biome-ignore lint/complexity/noUselessEscapeInRegex: shown to users as it is written
  /^[a-zA-Z0-9][a-zA-Z0-9\.\-_]*$/,
);
export const artifactName = named(/^[a-zA-Z0-9\-_]+$/);
export const attestationName = named(/^[a-zA-Z0-9\-_,]+$/);
export const actionName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~/]*$/);
export const policyName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);

export const controlIdentifier = z
  .string()
  // Dots alone are refused: no address leads to `.` and `..`.
  .check(z.regex(/^[a-zA-Z0-9\-._~]*[a-zA-Z0-9\-_~][a-zA-Z0-9\-._~]*$/))
  .check(z.minLength(1), z.maxLength(256));

export const customTypeName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_~]*$/);
/** What an attestation is: a built-in kind, or a custom or system type by its name. */
export const attestationType = named(
  /^(generic|junit|snyk|pull_request|jira|sonar|decision|custom:.+|system:.+)$/,
);

export const serviceAccountName = named(/^[a-zA-Z0-9-]+$/).check(z.maxLength(64));

/** A sha256 in lower-case hex. */
export const fingerprint = named(/^[a-f0-9]{64}$/);
/** A fingerprint, or enough of its start to tell it from the others. */
export const fingerprintPrefix = named(/^[a-f0-9]{5,64}$/);
export const commitSha = named(/^[a-f0-9]{40}$/);
/** A commit, or enough of its start to tell it from the others. */
export const commitShaPrefix = named(/^[a-f0-9]{5,40}$/);
/** A fingerprint or a commit, or enough of its start, in any letter case. */
export const shaPrefix = named(/^[a-fA-F0-9]{5,64}$/);
/** The form of the ids that the service gives to its records. */
export const recordId = named(/^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/);
export const tagKey = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);

/** A path parameter that names something: the service says whether it exists. */
export const reference = shortText.check(z.minLength(1));

/** Only web addresses: they are shown as links, where `javascript:` would run. */
export const webAddress = z.url({ protocol: /^https?$/ }).check(z.maxLength(MAX_ADDRESS));
