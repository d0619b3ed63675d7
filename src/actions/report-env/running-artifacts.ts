import type { Reply } from "../../api/client/reply.ts";
import type { AnswerOf } from "../../api/operation.ts";
import type { reportK8S } from "../../api/resources/reports.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Table } from "../../github/step/summary.ts";
import type { ClusterName } from "../../kubernetes/contexts.ts";
import type { Target } from "./target.ts";

/** All types have the same response. */
type ReportReply = Pick<Reply<AnswerOf<typeof reportK8S>>, "status" | "body">;

/** A running artifact and its workload. */
export interface RunningArtifact {
  readonly name: string;
  /** SHA-256 in hex; empty if it is unknown. */
  readonly fingerprint: string;
  /** Stays the same between versions: `shop-web`. */
  readonly workload: string;
  readonly since: number;
}

export interface RunningArtifacts {
  readonly count: number;
  readonly things: string;
  /** The cluster, and the context that led there. */
  readonly source?: ClusterName | undefined;
  readonly table: Table;
  /** Each artifact in each workload. */
  artifacts(): readonly RunningArtifact[];
  /** Sends the report; undefined in a dry run. */
  report(call: ActionContext["call"], envName: string): Promise<ReportReply | undefined>;
}

/** Each name in the entries of a report, with its digest. */
export function artifactsIn<
  Entry extends { readonly digests: Readonly<Record<string, string>>; readonly creationTimestamp: number },
>(entries: readonly Entry[], workloadOf: (entry: Entry, name: string) => string): RunningArtifact[] {
  return entries.flatMap((entry) =>
    Object.entries(entry.digests).map(([name, fingerprint]) => {
      const workload = workloadOf(entry, name);
      return { name, fingerprint, workload, since: entry.creationTimestamp };
    }),
  );
}

export type ReadRunning = (target: Target, context: ActionContext) => Promise<RunningArtifacts>;
