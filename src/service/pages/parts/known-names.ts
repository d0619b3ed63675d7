import type { PageRequest } from "../page.ts";

const FLOWS = 100;

/** Refusals of a name that no environment or flow has. */
export const OF_ENVIRONMENT = { codes: ["environment.not_found", "environment.archived"] } as const;
export const OF_FLOW = { codes: ["flow.not_found", "flow.archived"] } as const;

type Reading = Pick<PageRequest, "call" | "may" | "query">;

/** Names of environments that the viewer may see, for a choice. The one in the query is among them. */
export async function environmentNames({ call, may, query }: Reading): Promise<string[]> {
  const answer = may("listEnvironments") ? await call("listEnvironments", {}) : [];
  const environments = "environments" in answer ? answer.environments : answer;
  return withChosen(namesOf(environments), query.get("env"));
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
