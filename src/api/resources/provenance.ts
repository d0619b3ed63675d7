import * as z from "zod/mini";
import { fingerprint, webAddress } from "../names.ts";
import { addressText, identifierText, indexedText, longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/** The commit that a submission speaks of. What is not known is absent. */
export const gitCommitInfo = z.looseObject({
  sha1: identifierText.check(z.minLength(1)),
  message: z.nullish(longText),
  /** `Name <email>` */
  author: z.nullish(shortText),
  author_username: z.nullish(shortText),
  /** The head branch, never a pull request's merge ref. */
  branch: z.nullish(indexedText),
  /** Unix seconds. */
  timestamp: z.nullish(z.number()),
  url: z.nullish(addressText),
  parents: z.nullish(z.array(shortText)),
  /** Whether the forge has verified the signature. */
  verified: z.nullish(z.boolean()),
  /** GitHub's enum names: `VALID`, `UNSIGNED`, `UNKNOWN_KEY` … */
  signature_state: z.nullish(shortText),
});

/** `bitbucket` and `azure-devops` are the older names of those that tell the cloud from a server of one's own. */
export const repoProvider = z.enum([
  "github",
  "gitlab",
  "bitbucket",
  "bitbucket_cloud",
  "bitbucket_dc",
  "azure-devops",
  "azure_devops_services",
  "azure_devops_server",
  "circleci",
  "git",
  "subversion",
]);

/** Characters of `additional_info` as JSON. Lists of repositories show it. */
const MAX_ADDITIONAL_INFO = 10_000;

const additionalInfo = z.record(z.string(), z.unknown()).check(
  z.refine((info) => JSON.stringify(info).length <= MAX_ADDITIONAL_INFO, {
    error: `Input should have at most ${MAX_ADDITIONAL_INFO} characters as JSON`,
  }),
);

/** The repository that a submission speaks of; it creates or updates the captured repository. */
const repoInfo = z.looseObject({
  name: indexedText.check(z.minLength(1)),
  url: webAddress,
  /** The forge's own id: it outlives a rename. */
  id: z.nullish(indexedText),
  description: z.nullish(longText),
  /** A name that `repoProvider` does not have is recorded, and shown as null. */
  provider: z.nullish(shortText),
  /** The groups or projects that the repository is in, from the outermost. */
  namespace_path: z.nullish(z.array(shortText)),
  /** Further facts from the forge. */
  additional_info: z.nullish(additionalInfo),
});

export type GitCommitInfo = Camel<z.infer<typeof gitCommitInfo>>;
export type RepoInfo = Camel<z.infer<typeof repoInfo>>;

/** An address with, where it is known, the sha256 of what it holds. */
export const externalUrl = z.strictObject({ href: webAddress, fingerprint: z.nullish(fingerprint) });

/** Links by label. A plain address is accepted in place of an object. */
const externalUrls = z.record(shortText.check(z.regex(/^[^=.]+$/)), z.union([externalUrl, webAddress]));

export const annotations = z.record(shortText.check(z.regex(/^[A-Za-z0-9_-]+$/)), longText);

/** The author's own data, stored as it is. */
export const userData = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

/** The header of an answer that says whether the flow was created: `true` or `false`. */
export const FLOW_CREATED_HEADER = "X-Flow-Created";

/** What trails, artifacts and attestations have in common: where they come from and what they point at. */
export const originFields = {
  description: z.nullish(longText),
  git_commit_info: z.nullish(gitCommitInfo),
  repo_info: z.nullish(repoInfo),
  external_urls: z.nullish(externalUrls),
  user_data: z.nullish(userData),
};
