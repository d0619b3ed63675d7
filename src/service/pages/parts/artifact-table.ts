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

type ListedArtifact = AnsweredBy<"listArtifacts">[number];

interface Shape {
  readonly caption: string;
  readonly artifacts: readonly ListedArtifact[];
  readonly empty: Html;
}

/** Artifacts as they were reported, each with its verdict and where it comes from. */
export function artifactTable(
  { caption, artifacts, empty }: Shape,
  { here }: Pick<PageRequest, "here">,
): Table {
  return table({
    id: "artifacts",
    caption,
    columns: [
      {
        head: "Artifact",
        // The address is of this service, which knows the flow.
        cell: ({ htmlUrl, filename }) => (htmlUrl ? link(htmlUrl, filename) : text(filename)),
        csv: ({ filename }) => filename,
      },
      {
        head: "Fingerprint",
        cell: (artifact) => digest(artifact.fingerprint),
        csv: (artifact) => artifact.fingerprint,
      },
      {
        head: "State",
        cell: ({ state }) => verdict(state ?? "UNKNOWN"),
        csv: ({ state }) => state ?? "UNKNOWN",
      },
      { head: "Trail", cell: ({ trailName }) => text(trailName), csv: ({ trailName }) => trailName },
      {
        head: "Commit",
        cell: ({ gitCommit, gitCommitInfo }) =>
          gitCommit ? html`${digest(gitCommit)} ${text(firstLine(gitCommitInfo?.message))}` : "",
        csv: ({ gitCommit }) => gitCommit,
      },
      {
        head: "Reported",
        cell: ({ createdAt }) => time(Number(createdAt)),
        csv: ({ createdAt }) => utc(Number(createdAt)),
      },
    ],
    rows: artifacts,
    empty,
    here,
  });
}
