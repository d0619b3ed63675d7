import * as z from "zod/mini";
import { MAX_ADDRESS, shortText } from "./texts.ts";

/* Name patterns and identifiers. Fields have their own descriptions, so these comments are not doc comments. */

/** Maximum length of a name, in characters, so that an address can contain several. */
const MAX_NAME = 255;

const named = (pattern: RegExp) => z.string().check(z.regex(pattern), z.maxLength(MAX_NAME));

export const flowName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
export const trailName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);
export const environmentName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
/*
 * Patterns of new names. Errors quote them exactly, and clients expect the backslashes. New names of environments have
 * no tilde, which older names may have.
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
  // Rejects names of dots only, because an address cannot contain `.` or `..`.
  .check(z.regex(/^[a-zA-Z0-9\-._~]*[a-zA-Z0-9\-_~][a-zA-Z0-9\-._~]*$/))
  .check(z.minLength(1), z.maxLength(256));

export const customTypeName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_~]*$/);
// Built-in kind, or name of a custom or system type.
export const attestationType = named(
  /^(generic|junit|snyk|pull_request|jira|sonar|decision|sbom|custom:.+|system:.+)$/,
);

export const serviceAccountName = named(/^[a-zA-Z0-9-]+$/).check(z.maxLength(64));

// Sha256 in lower-case hex.
export const fingerprint = named(/^[a-f0-9]{64}$/);
// Fingerprint or its first characters.
export const fingerprintPrefix = named(/^[a-f0-9]{5,64}$/);
export const commitSha = named(/^[a-f0-9]{40}$/);
// Commit SHA or its first characters.
export const commitShaPrefix = named(/^[a-f0-9]{5,40}$/);
// Fingerprint or commit SHA, or the first characters of either, in any letter case.
export const shaPrefix = named(/^[a-fA-F0-9]{5,64}$/);
// ID of a record.
export const recordId = named(/^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/);
export const tagKey = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);

// Reference to a record in a path. It may be unknown.
export const reference = shortText.check(z.minLength(1));

// Web address. Other schemes are rejected, because a link with `javascript:` would run code.
export const webAddress = z.url({ protocol: /^https?$/ }).check(z.maxLength(MAX_ADDRESS));
