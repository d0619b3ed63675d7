import * as z from "zod/mini";
import { number, part, text } from "../github/api/lenient.ts";
import { commitsOfEvent, factsOfEvent } from "../github/event/event-commit.ts";
import { commitPages, pullRequestOf, webAddressOf } from "./remote.ts";
import { type CiSystem, positive, type Variables } from "./variables.ts";

const payload = z.object({
  pull_request: part({ number }),
  repository: part({ id: number, full_name: text, description: text }),
});

/**
 * Actions of Forgejo and Gitea. They set the variables of GitHub Actions too, and the payload of the event resembles
 * GitHub's.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | the event's payload (`GITHUB_EVENT_PATH`), `GITHUB_SHA` |
 * | branch | the event's payload, `GITHUB_REF` |
 * | pull request | the event's payload, `GITHUB_REF` |
 * | repository | `GITHUB_REPOSITORY`, `GITHUB_SERVER_URL`, `GITHUB_REPOSITORY_ID`, the event's payload |
 * | run | `GITHUB_RUN_ID`, `GITHUB_RUN_NUMBER`, `GITHUB_RUN_ATTEMPT` |
 * | actor | `GITHUB_ACTOR` |
 * | commit facts | the event's payload |
 * | clone | `GITHUB_WORKSPACE` |
 */
export const forgejo: CiSystem = {
  name: "forgejo",
  advice: {
    commit: "Pass GITHUB_SHA to this command.",
    repository: "Pass GITHUB_SERVER_URL and GITHUB_REPOSITORY to this command.",
    run: "Pass GITHUB_SERVER_URL, GITHUB_REPOSITORY and GITHUB_RUN_NUMBER to this command.",
    history: "Set fetch-depth: 0 for actions/checkout.",
  },
  detect: (variable) => variable("FORGEJO_ACTIONS") !== undefined || variable("GITEA_ACTIONS") !== undefined,
  read(variable, event) {
    const ref = variable("GITHUB_REF");
    const job = { event, ref, sha: variable("GITHUB_SHA"), repository: variable("GITHUB_REPOSITORY") };
    const [commit] = commitsOfEvent(job);
    const repository = repositoryIn(variable, event);
    const run = variable("GITHUB_RUN_NUMBER");
    const number =
      z.parse(payload, event).pull_request?.number ?? positive(/^refs\/pull\/(\d+)\//.exec(ref ?? "")?.[1]);
    return {
      commit: commit?.sha,
      branch: commit?.branch,
      pullRequest: pullRequestOf(number, repository, repository && `${repository.url}/pulls/${number}`),
      repository,
      run: {
        id: variable("GITHUB_RUN_ID"),
        url: repository && run && `${repository.url}/actions/runs/${run}`,
        attempt: positive(variable("GITHUB_RUN_ATTEMPT")),
      },
      actor: variable("GITHUB_ACTOR"),
      workspace: variable("GITHUB_WORKSPACE"),
      facts: commit && factsOfEvent(job, commit.sha),
      commitPages: commitPages(repository),
    };
  },
};

function repositoryIn(variable: Variables, event: unknown) {
  const name = variable("GITHUB_REPOSITORY");
  const server = webAddressOf(variable("GITHUB_SERVER_URL"))?.href;
  if (server === undefined || name === undefined) return undefined;
  const described = z.parse(payload, event).repository;
  // An id or a description must never go with the name of another repository.
  const own = described?.full_name?.toLowerCase() === name.toLowerCase() ? described : undefined;
  return {
    name,
    url: `${server.replace(/\/+$/, "")}/${name}`,
    id: variable("GITHUB_REPOSITORY_ID") ?? own?.id?.toString(),
    description: own?.description || undefined,
    provider: "git",
  };
}
