import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { digest } from "./digest.ts";
import { firstLine } from "./first-line.ts";
import { link } from "./link.ts";
import { type Table, table } from "./table.ts";
import { text } from "./text.ts";
import { time, utc } from "./time.ts";
import { verdict } from "./verdict.ts";

/** A trail as a list of them has it. */
export type ListedTrail = Extract<AnsweredBy<"listTrails">, { data: unknown }>["data"][number];

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly trails: readonly ListedTrail[];
  readonly empty: Html;
  /** Set on the page of the flow that all of them are of. */
  readonly isOfOneFlow?: true;
}

/** Trails, each with its verdict and what it is of. */
export function trailTable(
  { id, caption, trails, empty, isOfOneFlow }: Shape,
  { to, here }: Pick<PageRequest, "to" | "here">,
): Table {
  const flow = {
    head: "Flow",
    cell: (trail: ListedTrail) => link(to.page("flows", trail.flow.name), trail.flow.name),
    csv: (trail: ListedTrail) => trail.flow.name,
  };
  return table<ListedTrail>({
    id,
    caption,
    columns: [
      {
        head: "Trail",
        cell: ({ flow: { name }, ...trail }) =>
          link(to.page("flows", name, "trails", trail.name), trail.name),
        csv: ({ name }) => name,
      },
      ...(isOfOneFlow ? [] : [flow]),
      {
        head: "State",
        cell: (trail) => verdict(trail.complianceState),
        csv: (trail) => trail.complianceState,
      },
      {
        head: "Commit",
        cell: ({ gitCommitInfo: commit }) =>
          commit ? html`${digest(commit.sha1)} ${text(firstLine(commit.message))}` : "",
        csv: ({ gitCommitInfo }) => gitCommitInfo?.sha1,
      },
      {
        head: "Author",
        cell: (trail) => text(trail.gitCommitInfo?.author),
        csv: (trail) => trail.gitCommitInfo?.author,
      },
      {
        head: "Branch",
        cell: (trail) => text(trail.gitCommitInfo?.branch),
        csv: (trail) => trail.gitCommitInfo?.branch,
      },
      {
        head: "Last changed",
        cell: (trail) => time(trail.lastModifiedAt),
        csv: (trail) => utc(trail.lastModifiedAt),
      },
    ],
    rows: trails,
    empty,
    here,
  });
}
