import * as z from "zod/mini";
import type { GitHub, GitHubRequest } from "./github-api.ts";
import { list, number, part, text } from "./lenient.ts";

/** A check on a commit's page at GitHub. */
export interface CheckRun {
  readonly sha: string;
  /** Name for branch protection rules. */
  readonly name: string;
  /** Distinguishes it from other check runs of the same name. */
  readonly externalId: string;
  readonly conclusion: "success" | "failure";
  readonly title: string;
  readonly summary: string;
  /** Address of the page with details. */
  readonly detailsUrl: string;
}

const written = z.object({ id: number, html_url: text });
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
  return z.safeParse(written, data).data?.html_url ?? "";
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
