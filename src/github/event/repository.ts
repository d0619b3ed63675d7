import * as z from "zod/mini";
import { webAddress } from "../../api/names.ts";
import type { RepoInfo } from "../../api/resources/provenance.ts";
import { number, part, text } from "../api/lenient.ts";
import type { Runner } from "../step/runner.ts";

const payload = z.object({
  repository: part({ id: number, full_name: text, html_url: text, description: text }),
});

/** Address of a commit's page. Undefined without a repository. */
export function commitPage({ ci, repository, serverUrl }: Runner, sha: string): string | undefined {
  const pages = ci ? ci.commitPages : repository && `${serverUrl}/${repository}/commit/`;
  return pages && `${pages}${sha}`;
}

/** The job's repository, from the event and the runner's variables, or of another CI system. */
export function describeRepository(runner: Runner): RepoInfo | undefined {
  if (runner.ci) return runner.ci.repository;
  const fromEvent = z.parse(payload, runner.event).repository;
  const name = runner.repository ?? fromEvent?.full_name;
  if (!name) return undefined;
  // An id or a description must never go with the name of another repository.
  const described = fromEvent?.full_name?.toLowerCase() === name.toLowerCase() ? fromEvent : undefined;
  const id = described?.id?.toString() ?? runner.repositoryId;
  const url = z.safeParse(webAddress, described?.html_url).data ?? `${runner.serverUrl}/${name}`;
  return {
    name,
    url,
    ...(id !== undefined && { id }),
    ...(described?.description && { description: described.description }),
    provider: "github",
  };
}
