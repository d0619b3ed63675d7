import * as z from "zod/mini";
import { fingerprint, webAddress } from "./names.ts";
import { gitCommitInfo, repoInfo } from "./resources/provenance.ts";
import { longText, shortText } from "./texts.ts";

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
