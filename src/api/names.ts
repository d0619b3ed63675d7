import * as z from "zod/mini";

/** The name patterns of the interface, and the identifiers it uses. */

const named = (pattern: RegExp) => z.string().check(z.regex(pattern));

export const flowName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
export const trailName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);
export const environmentName = named(/^[a-zA-Z0-9][a-zA-Z0-9.\-_~]*$/);
/** The name of an artifact in a flow template. */
export const artifactName = named(/^[a-zA-Z0-9\-_]+$/);
export const attestationName = named(/^[a-zA-Z0-9\-_,]+$/);
export const actionName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~/]*$/);
export const policyName = named(/^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*$/);

/** A sha256 in lower-case hex. */
export const fingerprint = named(/^[a-f0-9]{64}$/);
/** A fingerprint, or enough of its start to tell it from the others. */
export const fingerprintPrefix = named(/^[a-f0-9]{5,64}$/);
export const commitSha = named(/^[a-f0-9]{40}$/);

/** A path parameter that names something: the service says whether it exists. */
export const reference = z.string().check(z.minLength(1));

/** Only web addresses: they are shown as links, where `javascript:` would run. */
export const webAddress = z.url({ protocol: /^https?$/ });
