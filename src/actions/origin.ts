import { InputError } from "../api/client/errors.ts";
import type { GitCommitInfo, RepoInfo } from "../api/resources/provenance.ts";
import { type CommitQuestion, commitOf, describeCommit } from "../github/event/commit.ts";
import { describeRepository } from "../github/event/repository.ts";
import { type ActionContext, githubToken } from "../github/step/action.ts";
import { choices, pairs, text, type ValuesOf } from "../github/step/input.ts";

/** Origin of a submission. */
export const originInputs = {
  description: text({ description: "Description of the record." }),
  "user-data": text({ description: "Your own data: a JSON object or array, or the path of a JSON file." }),
  "external-urls": pairs({ description: "Links, as `label=address` lines." }),
  "origin-url": text({ description: "Address of the record's origin. Default: the page of the run." }),
  commit: text({ description: "Commit of the record. Default: the commit of the run." }),
  redact: choices({
    choices: ["author", "message", "branch"],
    description: "Parts of the commit to leave out.",
  }),
  "github-token": githubToken("Token that reads the commit from GitHub; needs `contents: read`."),
};

export interface Origin {
  gitCommitInfo?: GitCommitInfo;
  repoInfo?: RepoInfo;
  originUrl?: string;
  description?: string;
  externalUrls?: Record<string, { href: string }>;
  userData?: Record<string, unknown> | unknown[];
}

/** Describes a commit; attestations of one commit share the result. */
export type DescribeCommit = (question: CommitQuestion) => Promise<GitCommitInfo>;

/** Describes the origin from the inputs and the job; unknown values are absent. */
export async function describeOrigin(
  values: ValuesOf<typeof originInputs>,
  { runner, signal, warn }: Pick<ActionContext, "runner" | "signal" | "warn">,
  describe: DescribeCommit = describeCommit,
): Promise<Origin> {
  const userData = await userDataOf(values.userData, runner.workspace);
  const sha = commitOf(runner, values.commit);
  const redact = new Set(values.redact);
  const gitCommitInfo =
    sha === undefined
      ? undefined
      : await describe({ runner, sha, token: values.githubToken, redact, signal, warn });
  const repoInfo = describeRepository(runner);
  const originUrl = values.originUrl ?? runner.runUrl;
  const links = Object.entries(values.externalUrls).map(([label, href]) => [label, { href }] as const);
  return {
    ...(gitCommitInfo && { gitCommitInfo }),
    ...(repoInfo && { repoInfo }),
    ...(originUrl !== undefined && { originUrl }),
    ...(values.description !== undefined && { description: values.description }),
    ...(links.length > 0 && { externalUrls: Object.fromEntries(links) }),
    ...(userData && { userData }),
  };
}

async function userDataOf(given: string | undefined, workspace: string | undefined) {
  if (given === undefined) return undefined;
  const { readJsonData } = await import("../evidence/json-data.ts");
  return readJsonData(given, { input: "user-data", workspace: workspace ?? "." });
}

/** The named trail, or else the commit. */
export function trailOf(
  given: string | undefined,
  origin: Origin,
  { ci }: Pick<ActionContext["runner"], "ci">,
): string {
  const trail = given ?? origin.gitCommitInfo?.sha1;
  if (trail !== undefined) return trail;
  const problem = "is required, because there is no commit to name the trail after";
  throw new InputError([{ input: "trail", problem, missing: true }], { advice: ci?.advice.commit ?? "" });
}
