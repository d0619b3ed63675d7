import type { PageRequest } from "../page.ts";

const FLOWS = 100;
/** Maximum of the operation. */
const REPOSITORIES = 50;

/** Refusals of a name that no environment or flow has. */
export const OF_ENVIRONMENT = { codes: ["environment.not_found", "environment.archived"] } as const;
export const OF_FLOW = { codes: ["flow.not_found", "flow.archived"] } as const;

type Reading = Pick<PageRequest, "call" | "may" | "query">;

/** Environments that the viewer may see: names for a choice, with the one in the query, and tags as filters take them. */
export async function knownEnvironments({ call, may, query }: Reading) {
  const answer = may("listEnvironments") ? await call("listEnvironments", {}) : [];
  const environments = "environments" in answer ? answer.environments : answer;
  const tags = environments.flatMap((each) => Object.entries(each.tags ?? {}));
  return {
    names: withChosen(namesOf(environments), query.get("env")),
    tags: [...new Set(tags.map(([key, value]) => `${key}:${value}`))].sort(),
  };
}

export async function environmentNames(request: Reading): Promise<string[]> {
  return (await knownEnvironments(request)).names;
}

/** Names of repositories, at most 50. */
export async function repositoryNames({ call, may }: Reading): Promise<string[]> {
  return may("listRepos") ? namesOf((await call("listRepos", { page: 1, perPage: REPOSITORIES })).repos) : [];
}

/** Names of flows that the viewer may see, at most 100, for a choice. The one in the query is among them. */
export async function flowNames({ call, may, query }: Reading): Promise<string[]> {
  const answer = may("listFlows") ? await call("listFlows", { sort: "name", page: 1, perPage: FLOWS }) : [];
  const flows = "data" in answer ? answer.data : answer;
  return withChosen(namesOf(flows), query.get("flow"));
}

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}

/** Known values and the chosen one, which may be in a bookmark after it is gone. */
export function withChosen(known: readonly string[], chosen: string | null): string[] {
  const wanted = chosen?.trim() ?? "";
  return [...new Set(wanted === "" ? known : [...known, wanted])];
}
