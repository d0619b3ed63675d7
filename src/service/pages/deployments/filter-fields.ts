import type { PageRequest } from "../page.ts";
import { choice } from "../parts/form.ts";
import { type Html, html } from "../parts/html.ts";

const FLOWS = 100;

/** Choices of an environment and a flow that the viewer may see. A chosen one is a choice even if it is not listed. */
export async function environmentAndFlow(
  { env, flow }: { env: string; flow: string },
  { call, may }: PageRequest,
): Promise<Html> {
  const [environments, flows] = await Promise.all([
    may("listEnvironments") ? call("listEnvironments", {}) : [],
    may("listFlows") ? call("listFlows", { sort: "name", page: 1, perPage: FLOWS }) : [],
  ]);
  return html`${choice({ name: "env", label: "Environment", value: env, options: options(environments, env) })}
${choice({ name: "flow", label: "Flow", value: flow, options: options(flows, flow) })}`;
}

type Named = { readonly name: string };
type Listed =
  | readonly Named[]
  | { readonly environments: readonly Named[] }
  | { readonly data: readonly Named[] };

function options(answer: Listed, chosen: string): readonly (string | readonly [string, string])[] {
  const all = "environments" in answer ? answer.environments : "data" in answer ? answer.data : answer;
  const names = new Set(all.map(({ name }) => name));
  if (chosen !== "") names.add(chosen);
  return [["", "Any"], ...names];
}
