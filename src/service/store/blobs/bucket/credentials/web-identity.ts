import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { amazonDomain, variable } from "../address.ts";
import { type CredentialSource, type Credentials, temporaryCredentials } from "../credentials.ts";
import { attemptAgain } from "../exchange.ts";
import { RemoteFault } from "../remote-fault.ts";
import { xmlTexts } from "../xml-texts.ts";
import { pairOf } from "./pair.ts";
import type { Surroundings } from "./surroundings.ts";

const WHO = "the security token service";
const TIME_MS = 20_000;

/** Exchanges the token that Kubernetes or a CI system gives a workload for the credentials of a role. */
export function webIdentityCredentials(surroundings: Surroundings): CredentialSource | undefined {
  const { environment, region, connections } = surroundings;
  const pair = pairOf(environment, "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN");
  if (pair === undefined) return undefined;
  const [tokenFile, roleArn] = pair;
  const endpoint =
    variable(environment, "AWS_ENDPOINT_URL_STS") ??
    variable(environment, "AWS_ENDPOINT_URL") ??
    `https://sts.${region}.${amazonDomain(region)}`;
  const sessionName = variable(environment, "AWS_ROLE_SESSION_NAME") ?? "delivery-evidence";

  async function ask(signal: AbortSignal): Promise<Credentials> {
    // Read each time, as it is replaced by a fresh one every so often.
    const token = await readFile(tokenFile, "utf8");
    const form = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: roleArn,
      RoleSessionName: sessionName,
      WebIdentityToken: token.trim(),
    });
    const body = Buffer.from(form.toString());
    const { statusCode, body: answer } = await connections.ask(WHO, {
      url: new URL(endpoint),
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(body.length),
        accept: "application/xml",
      },
      body: Readable.from([body]),
      signal,
    });
    const texts = xmlTexts(await answer.text());
    const textOf = (name: string) => texts.get(name)?.[0];
    if (statusCode !== 200) {
      const refused = { status: statusCode, code: textOf("Code"), detail: textOf("Message") };
      throw RemoteFault.answered(WHO, refused);
    }
    const accessKeyId = textOf("AccessKeyId");
    const secretAccessKey = textOf("SecretAccessKey");
    const sessionToken = textOf("SessionToken");
    if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined) {
      throw RemoteFault.wrong(WHO, "gave no complete credentials");
    }
    const expiration = textOf("Expiration") ?? "";
    return temporaryCredentials(WHO, { accessKeyId, secretAccessKey, sessionToken, expiration });
  }

  return () => {
    const signal = AbortSignal.timeout(TIME_MS);
    return attemptAgain(() => ask(signal), signal);
  };
}
