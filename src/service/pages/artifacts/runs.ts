import type { AnsweredBy } from "../ask.ts";

type Artifact = AnsweredBy<"getArtifact">;

/** Where it began or ended: a snapshot of the environment, and when that was made, in Unix seconds. */
export interface Moment {
  readonly snapshot: number;
  readonly at: number | undefined;
}

/** A time in which an artifact ran in an environment. */
export interface Run {
  readonly environment: string;
  readonly runsNow: boolean;
  readonly from: Moment | undefined;
  readonly to: Moment | undefined;
}

/** As the history of an artifact says it. */
const RAN = /^(Started|Stopped) running in ([^#]+)#(\d+)$/;

/** Where an artifact runs and ran, that which runs first. Of what is not in its history only the snapshot is known. */
export function runsOf({
  history,
  running,
  exited,
}: Pick<Artifact, "history" | "running" | "exited">): Run[] {
  const now = new Set((running ?? []).map(({ environmentName }) => environmentName));
  const ended: Run[] = [];
  const begun = new Map<string, Moment>();
  for (const { event, timestamp } of history ?? []) {
    const [, what, environment = "", snapshot] = RAN.exec(event) ?? [];
    if (what === undefined) continue;
    const moment = { snapshot: Number(snapshot), at: timestamp };
    const from = begun.get(environment);
    // Several instances of it may start one after the other.
    if (what === "Started") begun.set(environment, from ?? moment);
    else {
      begun.delete(environment);
      ended.push({ environment, runsNow: false, from, to: moment });
    }
  }
  const known = new Set([...begun.keys(), ...ended.map(({ environment }) => environment)]);
  for (const { environmentName: environment, snapshotIndex: snapshot } of exited ?? []) {
    const to = { snapshot, at: undefined };
    if (!known.has(environment) || begun.has(environment))
      ended.push({ environment, runsNow: false, from: begun.get(environment), to });
  }
  const runs = [...now].map((environment) => ({
    environment,
    runsNow: true,
    from: begun.get(environment),
    to: undefined,
  }));
  return [...runs, ...ended.reverse()];
}
