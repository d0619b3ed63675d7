import type { PageRequest } from "../page.ts";

const FLOWS = 100;

type Reading = Pick<PageRequest, "call" | "may" | "query">;

/** Names of environments that the viewer may see, for a choice. The one in the query is among them. */
export async function environmentNames({ call, may, query }: Reading, name = "env"): Promise<string[]> {
  const answer = may("listEnvironments") ? await call("listEnvironments", {}) : [];
  const environments = "environments" in answer ? answer.environments : answer;
  return withChosen(environments, query.get(name));
}

/** Names of flows that the viewer may see, at most 100, for a choice. The one in the query is among them. */
export async function flowNames({ call, may, query }: Reading, name = "flow"): Promise<string[]> {
  const answer = may("listFlows") ? await call("listFlows", { sort: "name", page: 1, perPage: FLOWS }) : [];
  const flows = "data" in answer ? answer.data : answer;
  return withChosen(flows, query.get(name));
}

function withChosen(named: readonly { readonly name: string }[], chosen: string | null): string[] {
  const names = new Set(named.map(({ name }) => name));
  const wanted = chosen?.trim() ?? "";
  if (wanted !== "") names.add(wanted);
  return [...names];
}
