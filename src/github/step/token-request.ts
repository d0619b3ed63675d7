export interface TokenRequest {
  /** It has a query already. */
  readonly url: string;
  readonly token: string;
}

/** What a job with `id-token: write` has; undefined for any other. */
export function tokenRequest(env: NodeJS.ProcessEnv): TokenRequest | undefined {
  const [url, token] = [env["ACTIONS_ID_TOKEN_REQUEST_URL"], env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]];
  return url && token ? { url, token } : undefined;
}
