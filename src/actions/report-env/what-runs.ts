import type { Reply } from "../../api/client/call.ts";
import type { reportK8S } from "../../api/resources/reports.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Table } from "../../github/step/summary.ts";
import type { ClusterName } from "../../kubernetes/contexts.ts";
import type { Target } from "./target.ts";

/** The service answers reports of every type alike. */
type ReportReply = Pick<Reply<typeof reportK8S>, "status" | "body">;

/** An artifact that runs, and as what. */
export interface RunningArtifact {
  readonly name: string;
  /** The sha256 in hex. */
  readonly fingerprint: string;
  /** What it runs as, which stays the same from one version to the next: `shop-web`. */
  readonly workload: string;
  /** Since when, in Unix seconds. */
  readonly since: number;
}

/** What runs in an environment, whatever the type of the environment. */
export interface WhatRuns {
  readonly count: number;
  /** What is counted: `pods`. */
  readonly things: string;
  /** The cluster that was asked, and the context that led there. */
  readonly source?: ClusterName | undefined;
  /** What there is to see of them. */
  readonly table: Table;
  /** Each artifact in each workload, for who wants to know that. */
  artifacts(): readonly RunningArtifact[];
  /** Tells the service; undefined in a dry run. */
  report(call: ActionContext["call"], envName: string): Promise<ReportReply | undefined>;
}

/** Sees what runs in an environment of one type. */
export type ReadWhatRuns = (target: Target, context: ActionContext) => Promise<WhatRuns>;
