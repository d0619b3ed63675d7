import { type CloudAnswer, type CloudInternet, type CloudRequest, cloudInternet } from "./cloud-internet.ts";

const GROUP = "/subscriptions/sub-1/resourceGroups/shop/providers/Microsoft.Web/sites";
export const MANAGEMENT = "token-for-management";
const LOGIN = "login-of-the-registry";
const PULL = "pull-token-of-the-registry";

/** State of the fake. */
export interface AzureState {
  sites: unknown[];
  /** Answers by path below the sites: `/web/config/web`. */
  below: Record<string, CloudAnswer>;
  /** Digest by `HOST/PATH:TAG`. */
  manifests: Record<string, string>;
  /** Archives by host of the deployment service. */
  archives: Record<string, Buffer>;
  /** Items of a page. */
  pageSize: number;
  /** Answers instead, unless it returns undefined. */
  instead: (request: CloudRequest) => CloudAnswer | undefined;
}

const HOSTS = [
  ...["login.microsoftonline.com", "management.azure.com", "*.azurecr.io"],
  ...["*.scm.azurewebsites.net", "*.scm.westeurope-01.azurewebsites.net"],
];

/** Azure's token service, its management, container registries and deployment services. */
export async function fakeAzure(state: Partial<AzureState>): Promise<CloudInternet> {
  const full: AzureState = {
    ...{ sites: [], below: {}, manifests: {}, archives: {}, pageSize: 100, instead: () => undefined },
    ...state,
  };
  return await cloudInternet(HOSTS, (request) => full.instead(request) ?? answerOf(request, full));
}

function answerOf(request: CloudRequest, state: AzureState): CloudAnswer {
  const { host, path, query, headers, body } = request;
  const form = new URLSearchParams(body);
  const token = String(headers["authorization"] ?? "").replace(/^Bearer /, "");
  if (host === "login.microsoftonline.com")
    return path === "/tenant-1/oauth2/v2.0/token"
      ? { body: { access_token: MANAGEMENT, expires_in: 3599, token_type: "Bearer" } }
      : {
          status: 400,
          body: { error: "invalid_request", error_description: "AADSTS90002: no tenant\r\nTrace" },
        };
  if (host.endsWith(".azurecr.io")) {
    if (path === "/oauth2/exchange")
      return form.get("access_token") === MANAGEMENT && form.get("service") === host
        ? { body: { refresh_token: LOGIN } }
        : { status: 401, body: { errors: [{ code: "UNAUTHORIZED" }] } };
    if (path === "/oauth2/token")
      return form.get("refresh_token") === LOGIN
        ? { body: { access_token: `${PULL} ${form.get("scope")}` } }
        : { status: 401 };
    const [, repository, tag] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(path) ?? [];
    if (token !== `${PULL} repository:${repository}:pull`) return { status: 401 };
    const digest = state.manifests[`${host}/${repository}:${tag}`];
    return digest ? { headers: { "docker-content-digest": `sha256:${digest}` } } : { status: 404 };
  }
  if (token !== MANAGEMENT) return refused(401, "InvalidAuthenticationToken", "The access token is invalid.");
  if (host !== "management.azure.com")
    return path === "/api/zip/site/wwwroot/" && state.archives[host]
      ? { body: state.archives[host], headers: { "content-type": "application/zip" } }
      : { status: 503 };
  if (query.get("api-version") !== "2024-11-01") return refused(400, "InvalidApiVersion", "wrong version");
  if (path !== GROUP)
    return (
      state.below[path.slice(GROUP.length)] ??
      refused(404, "ResourceGroupNotFound", "The group does not exist.")
    );
  const start = Number(query.get("$skip") ?? 0);
  const end = start + state.pageSize;
  const nextLink = `https://management.azure.com${GROUP}?api-version=2024-11-01&$skip=${end}`;
  return { body: { value: state.sites.slice(start, end), ...(end < state.sites.length && { nextLink }) } };
}

export function refused(status: number, code: string, message: string): CloudAnswer {
  return { status, body: { error: { code, message } } };
}

interface Site {
  readonly state?: string;
  readonly kind?: string;
  readonly linux?: string | null;
  readonly windows?: string;
  readonly sku?: string;
}

export function site(
  name: string,
  { state = "Running", kind = "app,linux", linux = "", windows, sku = "Basic" }: Site = {},
) {
  const names = [
    { name: `${name}.azurewebsites.net`, hostType: "Standard" },
    { name: scmOf(name), hostType: "Repository" },
  ];
  const siteConfig = { linuxFxVersion: linux, ...(windows && { windowsFxVersion: windows }) };
  return { name, kind, properties: { state, sku, siteConfig, hostNameSslStates: names } };
}

export function scmOf(name: string): string {
  return `${name}-h4sh.scm.westeurope-01.azurewebsites.net`;
}
