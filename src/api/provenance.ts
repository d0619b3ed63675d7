import * as z from "zod/mini";
import { webAddress } from "./names.ts";
import { addressText, identifierText, indexedText, longText, shortText } from "./texts.ts";
import type { Camel } from "./wire-names.ts";

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

export const repoProvider = z.enum(["github", "gitlab", "bitbucket", "azure-devops", "circleci"]);

/** The repository that a submission speaks of; it creates or updates the captured repository. */
export const repoInfo = z.looseObject({
  name: indexedText.check(z.minLength(1)),
  url: webAddress,
  /** The forge's own id: it outlives a rename. */
  id: z.nullish(indexedText),
  description: z.nullish(longText),
  provider: z.nullish(repoProvider),
});

export type GitCommitInfo = Camel<z.infer<typeof gitCommitInfo>>;
export type RepoInfo = Camel<z.infer<typeof repoInfo>>;
