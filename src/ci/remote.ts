import * as z from "zod/mini";
import { webAddress } from "../api/names.ts";
import type { RepoInfo } from "../api/resources/provenance.ts";
import type { CiContext } from "../github/step/ci-context.ts";

/** Providers by host. Self-managed hosts are recognized by their usual names. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^github\.|\.ghe\.com$/, "github"],
  [/^gitlab\./, "gitlab"],
  [/^bitbucket\.org$/, "bitbucket_cloud"],
  [/^(bitbucket|stash)\./, "bitbucket_dc"],
  [/^dev\.azure\.com$|(^|\.)visualstudio\.com$/, "azure_devops_services"],
];

/** Pages of a repository by provider. Others are addressed as at GitHub. */
const PAGES: Readonly<Record<string, { readonly commit: string; readonly pullRequest: string }>> = {
  github: { commit: "commit", pullRequest: "pull" },
  gitlab: { commit: "-/commit", pullRequest: "-/merge_requests" },
  bitbucket_cloud: { commit: "commits", pullRequest: "pull-requests" },
  bitbucket_dc: { commit: "commits", pullRequest: "pull-requests" },
  azure_devops_services: { commit: "commit", pullRequest: "pullrequest" },
  azure_devops_server: { commit: "commit", pullRequest: "pullrequest" },
  "azure-devops": { commit: "commit", pullRequest: "pullrequest" },
};

/** Address of a commit's page without the SHA at its end. */
export function commitPages(repository: RepoInfo | undefined): string | undefined {
  return repository && `${repository.url}/${PAGES[repository.provider ?? ""]?.commit ?? "commit"}/`;
}

/**
 * A pull request of a repository.
 *
 * @param page its address, by default the provider's; unknown for other providers
 */
export function pullRequestOf(
  number: number | undefined,
  repository: RepoInfo | undefined,
  page?: string | undefined,
): CiContext["pullRequest"] {
  if (number === undefined) return undefined;
  const place = PAGES[repository?.provider ?? ""]?.pullRequest;
  return { number, url: page ?? (repository && place && `${repository.url}/${place}/${number}`) };
}

/**
 * The repository of a remote: its web address without credentials, and its path as the name. Undefined for a local path,
 * and for an address without a web page.
 *
 * @param provider provider of a host that is not recognized; `git` by default
 */
export function repositoryOf(remote: string | undefined, provider = "git"): RepoInfo | undefined {
  const address = webAddressOf(remote);
  if (address === undefined) return undefined;
  const host = address.hostname;
  const found = PROVIDERS.find(([hosts]) => hosts.test(host))?.[1] ?? provider;
  const path = pathOf(address);
  if (path.length === 0) return undefined;
  if (found === "azure_devops_services") return azureRepository(host, path);
  if (found === "bitbucket_dc") return dataCenterRepository(address.origin, path);
  return { name: path.join("/"), url: address.href, provider: found };
}

/** The web address of a remote, without credentials. Undefined if it has none. */
export function webAddressOf(remote = ""): URL | undefined {
  const [, scpHost, scpPath] = /^(?:[^@/\s]+@)?([\w.-]{2,}):(?!:|\/\/)(.+)$/.exec(remote.trim()) ?? [];
  const given = scpHost === undefined ? remote.trim() : `ssh://${scpHost}/${scpPath?.replace(/^\/+/, "")}`;
  const [, scheme, rest] = /^(?:git\+)?(https?|ssh|git):\/\/(.+)$/i.exec(given) ?? [];
  const isWeb = scheme?.toLowerCase().startsWith("http");
  const url = URL.parse(`${isWeb ? scheme : "https"}://${rest}`);
  if (scheme === undefined || url === null) return undefined;
  url.username = url.password = url.search = url.hash = "";
  if (!isWeb) {
    url.hostname = url.hostname.replace(SSH_HOST, "");
    url.port = "";
  }
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return z.safeParse(webAddress, url.href).success ? url : undefined;
}

/** Hosts for SSH alone, some of them on port 443. */
const SSH_HOST = /^(alt|vs-)?ssh\.(?=(github|gitlab|visualstudio)\.com$|dev\.azure\.com$|bitbucket\.org$)/;

/** Decoded parts of a path. */
export function pathOf({ pathname }: URL): string[] {
  return pathname.split("/").filter(Boolean).map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `dev.azure.com/org/project/_git/repo`, `org.visualstudio.com/project/_git/repo`, or `v3/org/project/repo` by SSH. */
function azureRepository(host: string, path: readonly string[]): RepoInfo | undefined {
  const own = host === "dev.azure.com" || path[0] === "v3" ? [] : [host.replace(/\..*/, "")];
  const parts = [...own, ...path.filter((part) => !["v3", "_git", "DefaultCollection"].includes(part))];
  const [org, project, name = project] = parts;
  if (org === undefined || project === undefined || name === undefined) return undefined;
  const url = new URL("https://dev.azure.com");
  url.pathname = [org, project, "_git", name].map(encodeURIComponent).join("/");
  return {
    name: [org, project, name].join("/"),
    url: url.href,
    provider: "azure_devops_services",
    namespacePath: [org, project],
  };
}

/** `scm/KEY/repo` by HTTPS, or `KEY/repo` by SSH. */
function dataCenterRepository(origin: string, path: readonly string[]): RepoInfo | undefined {
  const [key, name] = path.filter((part) => !["scm", "projects", "repos"].includes(part));
  if (key === undefined || name === undefined) return undefined;
  return { name: `${key}/${name}`, url: `${origin}/projects/${key}/repos/${name}`, provider: "bitbucket_dc" };
}
