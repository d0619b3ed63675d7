import * as z from "zod/mini";
import type { GitHub, GitHubRequest } from "./github-api.ts";
import { list, number, part, text } from "./lenient.ts";

/** What a commit's page at GitHub shows of one check. */
export interface CheckRun {
  readonly sha: string;
  /** What rules of a branch name. */
  readonly name: string;
  /** Tells it from those that others made under this name. */
  readonly externalId: string;
  readonly conclusion: "success" | "failure";
  readonly title: string;
  readonly summary: string;
  /** The page that tells more. */
  readonly detailsUrl: string;
}

const made = z.object({ id: number, html_url: text });
const listed = z.object({ check_runs: list(part({ id: number, external_id: text })) });

/** Updates or creates one check run of a commit. Returns the address of its page. */
export async function keepCheckRun(github: GitHub, run: CheckRun): Promise<string> {
  const { sha, name, externalId, conclusion, title, summary, detailsUrl } = run;
  const content = {
    name,
    external_id: externalId,
    status: "completed",
    conclusion,
    details_url: detailsUrl,
    output: { title, summary },
  };
  const id = await findCheckRun(github, run);
  const data = await github.send(
    id === undefined
      ? { ...SUBJECT, path: "/check-runs", method: "POST", body: { ...content, head_sha: sha } }
      : { ...SUBJECT, path: "/check-runs/{id}", parameters: { id }, method: "PATCH", body: content },
  );
  return z.safeParse(made, data).data?.html_url ?? "";
}

const SUBJECT = { subject: "check runs of the commit", permission: "checks: write" } as const;

/** The newest of the name, if it is ours. */
async function findCheckRun(github: GitHub, { sha, name, externalId }: CheckRun) {
  const request: GitHubRequest = {
    ...SUBJECT,
    path: "/commits/{sha}/check-runs",
    parameters: { sha, check_name: name, filter: "latest", per_page: 100 },
  };
  const runs = z.safeParse(listed, await github.get(request)).data?.check_runs ?? [];
  return runs.find((each) => each?.external_id === externalId)?.id;
}
