import { type TokenRequest, tokenRequest } from "../github/step/token-request.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/** How a command says who asks: by a key, or by a token that GitHub gives the job. */
export type Credentials = { readonly apiKey: string } | { readonly request: TokenRequest };

const WAYS = ["auto", "key", "oidc"];
const NO_KEY = "Set EVIDENCE_API_KEY to the API key of an account";
const ADD_PERMISSION = "add permissions: id-token: write to the job";

/**
 * The way that `EVIDENCE_AUTH` allows; a key comes first where both are there. A token of the job goes to a service
 * that was named alone, never to the hosted one.
 *
 * @throws {UsageError} with what to do, where there is none
 */
export function credentialsFrom(environment: Environment, isNamed: boolean): Credentials {
  const way = given(environment, "EVIDENCE_AUTH") ?? "auto";
  if (!WAYS.includes(way)) {
    throw new UsageError(`'${way}' cannot be EVIDENCE_AUTH: auto, key and oidc can`);
  }
  const apiKey = given(environment, "EVIDENCE_API_KEY");
  if (apiKey !== undefined && way !== "oidc") return { apiKey };
  const request = way === "key" ? undefined : tokenRequest(environment);
  if (request !== undefined && isNamed) return { request };
  if (way === "oidc") {
    const missing =
      request === undefined
        ? `but no token can be asked for here: ${ADD_PERMISSION}`
        : "so name the service with --base-url or EVIDENCE_BASE_URL";
    throw new UsageError(`EVIDENCE_AUTH is oidc, ${missing}`);
  }
  if (request !== undefined) {
    throw new UsageError(`${NO_KEY}; or give --base-url, where a service of your own trusts this workflow`);
  }
  const isJob = way === "auto" && given(environment, "GITHUB_ACTIONS") === "true";
  throw new UsageError(
    isJob ? `${NO_KEY}; or, where the service trusts this workflow, ${ADD_PERMISSION}` : NO_KEY,
  );
}
