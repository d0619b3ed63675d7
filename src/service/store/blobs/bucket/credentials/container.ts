import { readFile } from "node:fs/promises";
import { isLoopback, variable } from "../address.ts";
import { type CredentialSource, parseTemporary } from "../credentials.ts";
import { attemptAgain, textOf } from "../exchange.ts";
import type { Surroundings } from "./surroundings.ts";

const WHO = "the container's source of credentials";
const TIME_MS = 10_000;
/** Where containers of Amazon's are told their credentials; without TLS, as it does not leave the machine. */
const OF_CONTAINERS = "http://169.254.170.2";
const LINK_LOCAL = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"];

/** Asks for the credentials of the container that the service runs in (ECS, EKS Pod Identity). */
export function containerCredentials({
  environment,
  connections,
}: Surroundings): CredentialSource | undefined {
  const relative = variable(environment, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const full = variable(environment, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (relative === undefined && full === undefined) return undefined;
  const url = relative === undefined ? fullUri(full ?? "") : new URL(relative, OF_CONTAINERS);
  return () => {
    const signal = AbortSignal.timeout(TIME_MS);
    return attemptAgain(async () => {
      const token = await authorization();
      const headers = { accept: "application/json", ...(token !== undefined && { authorization: token }) };
      const answer = await connections.ask(WHO, { url, method: "GET", headers, signal });
      return parseTemporary(WHO, await textOf(WHO, answer));
    }, signal);
  };

  /** From a file it is read each time, as it is replaced every so often. */
  async function authorization(): Promise<string | undefined> {
    const file = variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    if (file !== undefined) return (await readFile(file, "utf8")).trim();
    return variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
  }
}

function fullUri(text: string): URL {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && staysHere(url.hostname));
  if (url && isSafe) return url;
  throw new Error(
    `AWS_CONTAINER_CREDENTIALS_FULL_URI is '${text}', where credentials would be read without TLS from another machine`,
  );
}

function staysHere(hostname: string): boolean {
  return isLoopback(hostname) || LINK_LOCAL.includes(hostname);
}
