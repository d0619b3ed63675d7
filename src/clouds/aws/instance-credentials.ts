import { Deadline } from "../../net/deadline.ts";
import { attemptAgain, textOf } from "../remote-fault.ts";
import { noCredentials } from "./credential-source.ts";
import { type CredentialContext, type CredentialSource, parseTemporary } from "./credentials.ts";
import { variable } from "./variables.ts";

const INSTANCE = "the instance's metadata service";
/** Short, because the service is on the same machine or absent. */
const INSTANCE_SECONDS = 5;
const INSTANCE_ENDPOINT = "http://169.254.169.254";
const ROLES = "/latest/meta-data/iam/security-credentials/";

/**
 * Reads the credentials of the instance's role. Apart from the other sources, because a step must not get the rights of
 * its runner's machine, so the actions do not contain it.
 */
export function instanceCredentials(context: CredentialContext): CredentialSource | undefined {
  const { environment, client, purpose } = context;
  if (variable(environment, "AWS_EC2_METADATA_DISABLED")?.toLowerCase() === "true") return undefined;
  const endpoint = variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? INSTANCE_ENDPOINT;

  return async () => {
    using deadline = new Deadline(INSTANCE_SECONDS);
    const ask = async (method: "GET" | "PUT", path: string, headers: Record<string, string>) =>
      textOf(
        INSTANCE,
        await client.send({ operation: INSTANCE, method, url: new URL(path, endpoint), headers }, deadline),
      );
    try {
      return await attemptAgain(async () => {
        const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "60", "content-length": "0" };
        const session = { "x-aws-ec2-metadata-token": await ask("PUT", "/latest/api/token", lifetime) };
        const [role = ""] = (await ask("GET", ROLES, session)).trim().split("\n");
        return parseTemporary(INSTANCE, await ask("GET", ROLES + role, session));
      }, deadline);
    } catch (cause) {
      throw noCredentials(purpose, cause instanceof Error ? cause : undefined);
    }
  };
}
