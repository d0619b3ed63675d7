/**
 * Issuer of the identity tokens of workflow runs on a server.
 *
 * @param serverUrl from the runner, without a trailing slash
 */
export function tokenIssuer(serverUrl: string): string {
  const host = URL.parse(serverUrl)?.hostname ?? "";
  if (host === "github.com") return "https://token.actions.githubusercontent.com";
  const [, tenant] = /^([\w-]+)\.ghe\.com$/.exec(host) ?? [];
  return tenant === undefined ? `${serverUrl}/_services/token` : `https://token.actions.${tenant}.ghe.com`;
}
