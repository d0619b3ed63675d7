import { Refusal } from "../../kernel/errors.ts";
import type { PageRequest } from "../page.ts";
import { stackedBars } from "../parts/charts.ts";
import { type Html, html } from "../parts/html.ts";
import { dayOf, daysOf } from "../parts/period.ts";

export interface Chosen {
  readonly env: string;
  readonly flow: string;
  readonly repo: string;
  /** Tag of the environments. */
  readonly tag: string;
  readonly result: "" | "COMPLIANT" | "NON-COMPLIANT" | "UNKNOWN";
  readonly review: "" | "none" | "reviewed" | "unknown";
}

/** Deployments of 12 weeks, each a link to the deployments of that week. */
export async function weekBars(chosen: Chosen, { call, may, here }: PageRequest): Promise<Html> {
  if (!may("getTrends")) return html``;
  const { env, flow, repo, tag, review } = chosen;
  try {
    const { id } = repo === "" ? {} : await call("getRepo", { repoName: repo });
    // Each series has one subject, so bars of an environment include all flows.
    const subject = env !== "" ? { env: [env] } : flow !== "" ? { flow: [flow] } : id ? { repo: [id] } : {};
    const { series } = await call("getTrends", {
      figures: ["deployments"],
      ...subject,
      ...(tag === "" ? {} : { envTag: [tag] }),
    });
    const { buckets = [], scope } = series.at(-1) ?? {};
    const bars = buckets.map(({ start, end, deployments }) => {
      const { count = 0, withoutReview = 0, unknownReview = 0 } = deployments ?? {};
      const parts = [
        { is: "reviewed", tone: "ok", word: "reviewed", count: count - withoutReview - unknownReview },
        { is: "unknown", tone: "unknown", word: "review unknown", count: unknownReview },
        { is: "none", tone: "warn", word: "without review", count: withoutReview },
      ] as const;
      return {
        label: `Week of ${dayOf(start)}`,
        href: here({ period: undefined, ...daysOf({ start, end }), page: undefined }),
        parts: parts.filter(({ is }) => review === "" || review === is),
      };
    });
    return stackedBars(bars, `Deployments of ${scope?.name ?? ""}, last 12 weeks${notFollowed(chosen)}`);
  } catch (error) {
    // The list says what is wrong with a filter.
    if (error instanceof Refusal) return html``;
    throw error;
  }
}

/** Filters that the figures do not have. */
function notFollowed({ env, flow, repo, result }: Chosen): string {
  const words = [
    ...(env !== "" && flow !== "" ? ["all flows"] : []),
    ...(repo !== "" && env + flow !== "" ? ["all repositories"] : []),
    ...(result === "" ? [] : ["all results"]),
  ];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
