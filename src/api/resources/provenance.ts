import * as z from "zod/mini";
import { fingerprint, webAddress } from "../names.ts";
import { addressText, identifierText, indexedText, longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/** Commit that the record refers to. Unknown fields are absent. */
export const gitCommitInfo = z.looseObject({
  sha1: identifierText.check(z.minLength(1)),
  message: z.nullish(longText),
  /** Author, as `Name <email>`. */
  author: z.nullish(shortText),
  author_username: z.nullish(shortText),
  /** Head branch, never the merge ref of a pull request. */
  branch: z.nullish(indexedText),
  /** Commit time, in Unix seconds. */
  timestamp: z.nullish(z.number()),
  url: z.nullish(addressText),
  parents: z.nullish(z.array(shortText)),
  /** Whether the code host verified the signature. */
  verified: z.nullish(z.boolean()),
  /** State of the signature in GitHub's words, such as `VALID`, `UNSIGNED` or `UNKNOWN_KEY`. */
  signature_state: z.nullish(shortText),
});

/** Code host. `bitbucket` and `azure-devops` are older names that do not distinguish cloud and server. */
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

/** Maximum length of `additional_info` as JSON, in characters, because lists of repositories contain it. */
const MAX_ADDITIONAL_INFO = 10_000;

const additionalInfo = z.record(z.string(), z.unknown()).check(
  z.refine((info) => JSON.stringify(info).length <= MAX_ADDITIONAL_INFO, {
    error: `Input should have at most ${MAX_ADDITIONAL_INFO} characters as JSON`,
  }),
);

/** Repository that the record refers to. Creates or updates the captured repository. */
const repoInfo = z.looseObject({
  name: indexedText.check(z.minLength(1)),
  url: webAddress,
  /** ID of the repository at the code host, which a rename does not change. */
  id: z.nullish(indexedText),
  description: z.nullish(longText),
  /** Code host. An unknown name is recorded and shown as null. */
  provider: z.nullish(shortText),
  /** Groups or projects of the repository, outermost first. */
  namespace_path: z.nullish(z.array(shortText)),
  /** Further facts from the code host. */
  additional_info: z.nullish(additionalInfo),
});

export type GitCommitInfo = Camel<z.infer<typeof gitCommitInfo>>;
export type RepoInfo = Camel<z.infer<typeof repoInfo>>;

/** An address, and the sha256 of its content if known. */
export const externalUrl = z.strictObject({ href: webAddress, fingerprint: z.nullish(fingerprint) });

/** Links by label. A plain address is accepted in place of an object. */
const externalUrls = z.record(shortText.check(z.regex(/^[^=.]+$/)), z.union([externalUrl, webAddress]));

export const annotations = z.record(shortText.check(z.regex(/^[A-Za-z0-9_-]+$/)), longText);

/** Data of the caller, stored unchanged. */
export const userData = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

/** Header of a response: whether the flow was created, `true` or `false`. */
export const FLOW_CREATED_HEADER = "X-Flow-Created";

/** Common fields of trails, artifacts and attestations. */
export const originFields = {
  description: z.nullish(longText),
  git_commit_info: z.nullish(gitCommitInfo),
  repo_info: z.nullish(repoInfo),
  external_urls: z.nullish(externalUrls),
  user_data: z.nullish(userData),
};
