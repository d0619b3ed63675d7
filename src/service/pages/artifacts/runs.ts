import type { AnsweredBy } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { html } from "../parts/html.ts";
import { linkCellFor, linkFor } from "../parts/links.ts";
import { type Table, table, wordCell } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";

export function runTable(artifact: Artifact, request: PageRequest): Table {
  const { to, viewer } = request;
  const linkTo = linkFor(viewer);
  const momentCell = (environment: string, moment: Moment | undefined, otherwise: string) => {
    if (moment === undefined) return { html: otherwise, csv: null };
    const { snapshot, at } = moment;
    const seen = linkTo(to.page("environments", environment, "snapshots", snapshot), `snapshot ${snapshot}`);
    return {
      html: html`${at === undefined ? "" : time(at)} ${seen}`,
      csv: at === undefined ? null : utc(at),
    };
  };
  return table(request, {
    id: "runs",
    caption: "Environments, now and before",
    columns: {
      Environment: ({ environment: name }) => linkCellFor(viewer)(to.page("environments", name), name),
      "Runs now": ({ runsNow }) =>
        runsNow ? { html: html`<strong>yes</strong>`, csv: "yes" } : wordCell("no"),
      From: ({ environment, from }) => momentCell(environment, from, "before it was recorded in the trail"),
      To: ({ environment, to: end, runsNow }) => momentCell(environment, end, runsNow ? "now" : ""),
    },
    rows: runsOf(artifact),
    empty: "Not running anywhere.",
  });
}

type Artifact = AnsweredBy<"getArtifact">;

/** The snapshot in which a run started or ended, with its time in Unix seconds. */
interface Moment {
  readonly snapshot: number;
  readonly at: number | undefined;
}

interface Run {
  readonly environment: string;
  readonly runsNow: boolean;
  readonly from: Moment | undefined;
  readonly to: Moment | undefined;
}

/** The text of an event in the history of an artifact. */
const RAN = /^(Started|Stopped) running in ([^#]+)#(\d+)$/;

/** Runs, current ones first. A run that the history lacks has only its snapshot. */
function runsOf({ history, running, exited }: Pick<Artifact, "history" | "running" | "exited">): Run[] {
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
  const runs = [...now].map((environment) => {
    return { environment, runsNow: true, from: begun.get(environment), to: undefined };
  });
  return [...runs, ...ended.reverse()];
}
