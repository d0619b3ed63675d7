import { azureDevOps } from "./azure-devops.ts";
import { bitbucketCloud, INDEXING } from "./bitbucket-cloud.ts";
import { bitbucketDataCenter } from "./bitbucket-data-center.ts";
import type { CodeHost, Provider } from "./code-host.ts";
import { gitLab } from "./gitlab.ts";
import type { HostClient, HostOptions } from "./host-client.ts";

/** A kind of code host. Bitbucket Cloud and Data Center have one name in the interface. */
export type HostKind = HostOptions["kind"] & {
  /** Default address, if there is one. */
  readonly url?: string;
  /** The token to use, as a sentence. */
  readonly tokenAdvice: string;
  readonly open: (client: HostClient, address: URL) => CodeHost;
  readonly retriedStatus?: number;
};

const TWO_PARTS = /^[^/]+\/[^/]+$/;

const KINDS = {
  gitlab: {
    name: "GitLab",
    url: "https://gitlab.com",
    form: /\/|^\d+$/,
    tokenAdvice:
      "Use a project access token with the scope read_api. The token of a job cannot read merge requests.",
    open: gitLab,
  },
  azure: {
    name: "Azure DevOps",
    form: TWO_PARTS,
    tokenAdvice:
      "Set SYSTEM_ACCESSTOKEN to $(System.AccessToken), or use a token with the scope Code (read).",
    open: azureDevOps,
  },
  cloud: {
    name: "Bitbucket",
    url: "https://api.bitbucket.org",
    form: TWO_PARTS,
    tokenAdvice: "Use a token that can read pull requests.",
    open: bitbucketCloud,
    retriedStatus: INDEXING,
  },
  dataCenter: {
    name: "Bitbucket Data Center",
    form: TWO_PARTS,
    tokenAdvice: "Use a token that can read the repository.",
    open: bitbucketDataCenter,
  },
} as const satisfies Readonly<Record<string, HostKind>>;

/** @param url the given address; without one, Bitbucket is Bitbucket Cloud */
export function hostKind(provider: Exclude<Provider, "github">, url: string | undefined): HostKind {
  if (provider !== "bitbucket") return KINDS[provider];
  const isCloud = url === undefined || /^https:\/\/(api\.)?bitbucket\.org(\/|$)/i.test(url);
  return isCloud ? KINDS.cloud : KINDS.dataCenter;
}
