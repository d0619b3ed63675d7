import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { leads } from "../parts/leads.ts";
import { type Table, table } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { type Moment, runsOf } from "./runs.ts";

/** Where an artifact runs now and ran, with the snapshots that saw it come and go. */
export function runTable(
  artifact: AnsweredBy<"getArtifact">,
  { to, here, viewer }: Pick<PageRequest, "to" | "here" | "viewer">,
): Table {
  const lead = leads(viewer);
  const cell = (environment: string, moment: Moment | undefined, otherwise: string) => {
    if (moment === undefined) return otherwise;
    const { snapshot, at } = moment;
    const link = lead(to.page("environments", environment, "snapshots", snapshot), `snapshot ${snapshot}`);
    return html`${at === undefined ? "" : time(at)} ${link}`;
  };
  const csv = (moment: Moment | undefined) => (moment?.at === undefined ? null : utc(moment.at));
  return table({
    id: "runs",
    caption: "Where it runs and ran",
    columns: [
      {
        head: "Environment",
        cell: ({ environment }) => lead(to.page("environments", environment), environment),
        csv: ({ environment }) => environment,
      },
      {
        head: "Runs now",
        cell: ({ runsNow }) => (runsNow ? html`<strong>yes</strong>` : "no"),
        csv: ({ runsNow }) => (runsNow ? "yes" : "no"),
      },
      {
        head: "From",
        cell: ({ environment, from }) => cell(environment, from, "before its trail recorded it"),
        csv: ({ from }) => csv(from),
      },
      {
        head: "To",
        cell: ({ environment, to: end, runsNow }) => cell(environment, end, runsNow ? "now" : ""),
        csv: ({ to: end }) => csv(end),
      },
    ],
    rows: runsOf(artifact),
    empty: empty("It was not seen to run in any environment."),
    here,
  });
}
