import type { Deployment } from "../../../api/resources/deployments.ts";
import { Invalid, NotFound, Refusal } from "../../kernel/errors.ts";
import type { GivenTo } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import { stackedBars } from "../parts/charts.ts";
import { choice, field, filter, refusalAlert } from "../parts/form.ts";
import { type Html, html } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { countedPager, pageNumberIn, ROWS } from "../parts/lists.ts";
import { deploymentTable } from "./deployment-table.ts";
import { environmentAndFlow } from "./filter-fields.ts";
import { type Period, periodFields, periodIn } from "./period.ts";

type Given = GivenTo<"listDeployments">;

/** Maximum number of deployments in a CSV file. */
const MAX_CSV_ROWS = 10_000;

export const deploymentsPage = definePage({
  path: "/:org/deployments",
  audience: "everybody",
  async show(request) {
    const { query, now } = request;
    const chosen = chosenIn(query);
    const period = periodOrRefusal(query, now);
    if (period instanceof Refusal) {
      const usual = periodIn(new URLSearchParams(), now);
      return {
        title: "Deployments",
        main: html`${refusalAlert(period)}${await bar(chosen, usual, request)}`,
        status: 400,
      };
    }
    const { start, end } = period;
    const given = {
      ...filtersOf(chosen),
      startTs: start,
      endTs: end,
      page: pageNumberIn(query),
      perPage: ROWS,
    };
    const [listed, weeks, filterBar] = await Promise.all([
      deploymentsOf(given, request),
      weekBars(chosen, request),
      bar(chosen, period, request),
    ]);
    if (listed instanceof Refusal) {
      return { title: "Deployments", main: html`${refusalAlert(listed)}${filterBar}`, status: 400 };
    }
    const table = deploymentTable(request, {
      id: "deployments",
      caption: "Deployments",
      rows: listed.deployments,
      empty: html`${empty(given.page > 1 ? "No more deployments." : "No deployments match.")}<p>Deployments appear when an environment reports what runs. ${guideLink("report-kubernetes", "Report an environment")}</p>`,
    });
    return {
      title: "Deployments",
      main: html`${weeks}
${filterBar}
${table.html}${countedPager(listed, request)}`,
      tables: [table],
      json: { operation: "listDeployments", given },
      howTo: {
        title: "List deployments without a review on the command line",
        code: "npx delivery-evidence call listDeployments review=unreviewed",
      },
    };
  },
});

interface Chosen {
  readonly env: string;
  readonly flow: string;
  readonly repo: string;
  readonly result: "" | "COMPLIANT" | "NON-COMPLIANT" | "UNKNOWN";
  readonly review: "" | "reviewed" | "unreviewed" | "unknown";
}

const RESULTS = [
  ["", "Any"],
  ["COMPLIANT", "Compliant"],
  ["NON-COMPLIANT", "Non-compliant"],
  ["UNKNOWN", "Unknown"],
] as const;
const REVIEWS = [
  ["", "Any"],
  ["unreviewed", "None"],
  ["reviewed", "Reviewed"],
  ["unknown", "Unknown"],
] as const;

function chosenIn(query: URLSearchParams): Chosen {
  return {
    env: query.get("env") ?? "",
    flow: query.get("flow") ?? "",
    repo: query.get("repo") ?? "",
    result: RESULTS.find(([value]) => value === query.get("result"))?.[0] ?? "",
    // `none` is the word of the label.
    review:
      REVIEWS.find(([value]) => value === query.get("review"))?.[0] ??
      (query.get("review") === "none" ? "unreviewed" : ""),
  };
}

function filtersOf({ env, flow, repo, result, review }: Chosen): Given {
  return {
    ...(env === "" ? {} : { envName: [env] }),
    ...(flow === "" ? {} : { flow: [flow] }),
    ...(repo === "" ? {} : { repoName: [repo] }),
    ...(result === "" ? {} : { complianceState: result }),
    ...(review === "" ? {} : { review }),
  };
}

function periodOrRefusal(query: URLSearchParams, now: number): Period | Refusal {
  try {
    return periodIn(query, now);
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
}

/** One page, or all for a CSV file. Returns the refusal if a filter names nothing. */
async function deploymentsOf(given: Given, { call, query }: PageRequest) {
  try {
    const first = await call("listDeployments", given);
    if (query.get("format") !== "csv") return first;
    if (first.totalCount > MAX_CSV_ROWS) {
      return new Invalid(
        "page.form_invalid",
        `At most ${MAX_CSV_ROWS} deployments fit in a CSV file: choose a shorter period`,
      );
    }
    const deployments: Deployment[] = [];
    for (let page = 1; page <= first.totalPages; page++) {
      deployments.push(...(await call("listDeployments", { ...given, page })).deployments);
    }
    return { ...first, deployments };
  } catch (error) {
    if (error instanceof Invalid || error instanceof NotFound) return error;
    throw error;
  }
}

async function bar(chosen: Chosen, period: Period, request: PageRequest): Promise<Html> {
  return filter(
    html`${await environmentAndFlow(chosen, request)}
${chosen.repo === "" ? "" : field({ name: "repo", label: "Repository", value: chosen.repo })}
${choice({ name: "result", label: "Result", value: chosen.result, options: RESULTS })}
${choice({ name: "review", label: "Review", value: chosen.review, options: REVIEWS })}
${periodFields(period)}`,
    "Filter deployments",
  );
}

const DAY = 86_400;

/** Deployments of 12 weeks, each a link to the deployments of that week. */
async function weekBars({ env, flow }: Chosen, { call, may, here }: PageRequest): Promise<Html> {
  if (!may("getTrends")) return html``;
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  try {
    const { series } = await call("getTrends", {
      ...(env === "" ? {} : { env: [env] }),
      ...(flow === "" ? {} : { flow: [flow] }),
    });
    const { buckets = [], scope } = series.at(-1) ?? {};
    const bars = buckets.map(({ start, end, deployments }) => {
      const without = deployments?.withoutReview ?? 0;
      return {
        label: `Week of ${day(start)}`,
        href: here({ period: "custom", from: day(start), to: day(end - DAY), page: undefined }),
        parts: [
          { tone: "ok" as const, word: "reviewed or unknown", count: (deployments?.count ?? 0) - without },
          { tone: "warn" as const, word: "without review", count: without },
        ],
      };
    });
    return stackedBars(bars, `Deployments of ${scope?.name ?? ""}, last 12 weeks`);
  } catch (error) {
    // The list says what is wrong with a filter.
    if (error instanceof Refusal) return html``;
    throw error;
  }
}
