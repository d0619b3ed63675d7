import { asCommitSha } from "../../github/api/commit-facts.ts";
import { type Comparison, compareCommits } from "../../github/api/comparison.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Query } from "./query.ts";

const UNKNOWN: Comparison = { status: "unknown", commits: [], complete: false };

export async function compareWith(
  running: Query["running"],
  { candidate, token }: Pick<Query, "candidate"> & { token: string | undefined },
  { runner, signal, warn }: ActionContext,
): Promise<Comparison> {
  if (!running) return UNKNOWN;
  const base = asCommitSha(running);
  if (base !== undefined) return compareCommits({ runner, base, head: candidate, token, signal, warn });
  warn(
    `The service gives '${running}' as the commit that runs. It is no full commit SHA, so it is not compared.`,
  );
  return UNKNOWN;
}
