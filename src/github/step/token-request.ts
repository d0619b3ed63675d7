export interface TokenRequest {
  /** Already has a query. */
  readonly url: string;
  readonly token: string;
}

/** Address and token to request an identity token; undefined without `id-token: write`. */
export function tokenRequest(env: NodeJS.ProcessEnv): TokenRequest | undefined {
  const [url, token] = [env["ACTIONS_ID_TOKEN_REQUEST_URL"], env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]];
  return url && token ? { url, token } : undefined;
}
