import { variable } from "../address.ts";
import { type CredentialSource, parseTemporary } from "../credentials.ts";
import { attemptAgain, type Exchange, textOf } from "../exchange.ts";
import type { Surroundings } from "./surroundings.ts";

const WHO = "the instance's metadata service";
/** It is on the machine itself, or not there at all. */
const TIME_MS = 5_000;
const USUAL_ENDPOINT = "http://169.254.169.254";
const ROLES = "/latest/meta-data/iam/security-credentials/";

/** Asks for the credentials of the machine that the service runs on: EC2, by the second version of its protocol. */
export function instanceCredentials({
  environment,
  connections,
}: Surroundings): CredentialSource | undefined {
  if (variable(environment, "AWS_EC2_METADATA_DISABLED")?.toLowerCase() === "true") return undefined;
  const endpoint = variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? USUAL_ENDPOINT;

  async function ask(
    path: string,
    exchange: Pick<Exchange, "method" | "headers" | "signal">,
  ): Promise<string> {
    return textOf(WHO, await connections.ask(WHO, { url: new URL(path, endpoint), ...exchange }));
  }

  return async () => {
    const signal = AbortSignal.timeout(TIME_MS);
    try {
      return await attemptAgain(async () => {
        const token = await ask("/latest/api/token", {
          method: "PUT",
          headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60", "content-length": "0" },
          signal,
        });
        const asking = { method: "GET", headers: { "x-aws-ec2-metadata-token": token }, signal } as const;
        const [role = ""] = (await ask(ROLES, asking)).trim().split("\n");
        return parseTemporary(WHO, await ask(ROLES + role, asking));
      }, signal);
    } catch (cause) {
      throw new Error(
        "There are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the " +
          `workload, container or instance a role (${cause instanceof Error ? cause.message : cause})`,
        { cause },
      );
    }
  };
}
