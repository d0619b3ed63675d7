import { variable } from "../address.ts";
import type { CredentialSource } from "../credentials.ts";
import { containerCredentials } from "./container.ts";
import { instanceCredentials } from "./instance.ts";
import { pairOf } from "./pair.ts";
import type { Surroundings } from "./surroundings.ts";
import { webIdentityCredentials } from "./web-identity.ts";

/**
 * Where credentials come from, as the variables say: keys given as they are, then the token of a workload (Kubernetes,
 * CI), then the container, then the instance that the service runs on.
 *
 * @throws Error when half of what a way needs is given
 */
export function credentialSource(surroundings: Surroundings): CredentialSource {
  const sources = [staticKeys, webIdentityCredentials, containerCredentials, instanceCredentials];
  for (const sourceOf of sources) {
    const source = sourceOf(surroundings);
    if (source) return source;
  }
  throw new Error("There are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
}

function staticKeys({ environment }: Surroundings): CredentialSource | undefined {
  const pair = pairOf(environment, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  if (pair === undefined) return undefined;
  const [accessKeyId, secretAccessKey] = pair;
  const sessionToken = variable(environment, "AWS_SESSION_TOKEN");
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  return async () => credentials;
}
