import type { Deployment } from "../../../api/resources/deployments.ts";
import { Invalid, Refusal } from "../../kernel/errors.ts";
import type { GivenTo } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import { choiceFilter, filterBar, limitedPeriodFilter, textFilter } from "../parts/filter-bar.ts";
import { html } from "../parts/html.ts";
import {
  flowNames,
  knownEnvironments,
  OF_ENVIRONMENT,
  OF_FLOW,
  repositoryNames,
} from "../parts/known-names.ts";
import { guideLink } from "../parts/links.ts";
import { countedPage, pageNumberIn, ROWS } from "../parts/lists.ts";
import { lastMoment, type Period } from "../parts/period.ts";
import { RESULTS } from "../parts/verdict.ts";
import { deploymentTable } from "./deployment-table.ts";
import { repositoryNamed } from "./named-repository.ts";
import { type Chosen, weekBars } from "./week-bars.ts";

type Given = GivenTo<"listDeployments">;

/** Maximum number of deployments in a CSV file. */
const MAX_CSV_ROWS = 10_000;

export const deploymentsPage = definePage({
  path: "/:org/deployments",
  audience: "everybody",
  async show(request) {
    const [environments, flows, repositories] = await Promise.all([
      knownEnvironments(request),
      flowNames(request),
      repositoryNames(request),
    ]);
    const filters = {
      env: choiceFilter("Environment", environments.names, OF_ENVIRONMENT),
      flow: choiceFilter("Flow", flows, OF_FLOW),
      repo: textFilter("Repository", { known: repositories, hint: "Whole name, or its end" }),
      tag: textFilter("Environment tag (key:value)", {
        ...{ known: environments.tags, fills: "env_tag", hint: "Whole tag, or its key" },
      }),
      result: choiceFilter("Result", RESULTS),
      review: choiceFilter("Review", REVIEWS),
      period: limitedPeriodFilter("28"),
    };
    const bar = filterBar("Filter deployments", filters, request);
    const found = await bar.find(async ({ period, ...wanted }) => {
      const chosen = { ...wanted, repo: await repositoryNamed(wanted.repo, request) };
      const given = givenOf(chosen, period, request);
      return { given, chosen, answer: await deploymentsOf(given, request) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Deployments" }, found);
    const { given, chosen, answer } = found;
    const list = countedPage(answer.deployments, answer, request);
    const none = bar.empty("deployments", empty("No deployments in this period."));
    const table = deploymentTable(request, {
      id: "deployments",
      caption: "Deployments",
      position: list.count,
      rows: list.rows,
      empty: list.empty(
        html`${none}<p>Deployments appear when an environment reports what runs. ${guideLink("report-kubernetes", "Report an environment")}</p>`,
      ),
    });
    return {
      title: "Deployments",
      main: html`${await weekBars(chosen, request)}
${bar.html}
${table.html}${list.pager}`,
      tables: [table],
      json: { operation: "listDeployments", given },
      howTo: {
        title: "List deployments without a review on the command line",
        code: "npx delivery-evidence call listDeployments review=unreviewed",
      },
    };
  },
});

const REVIEWS = [
  // The word of the label, and that of the interface.
  ["none", "None"],
  ["reviewed", "Reviewed"],
  ["unknown", "Unknown"],
] as const;

function givenOf(
  { env, flow, repo, tag, result, review }: Chosen,
  { start, end }: Period,
  { query }: PageRequest,
): Given & { page: number } {
  return {
    ...(env === "" ? {} : { envName: [env] }),
    ...(flow === "" ? {} : { flow: [flow] }),
    ...(repo === "" ? {} : { repoName: [repo] }),
    ...(tag === "" ? {} : { envTag: [tag] }),
    ...(result === "" ? {} : { complianceState: result }),
    ...(review === "" ? {} : { review: review === "none" ? "unreviewed" : review }),
    ...{ startTs: start, endTs: lastMoment(end), page: pageNumberIn(query), perPage: ROWS },
  };
}

/** One page, or all for a CSV file. @throws Invalid if these are too many */
async function deploymentsOf(given: Given, { call, query }: PageRequest) {
  const first = await call("listDeployments", given);
  if (query.get("format") !== "csv") return first;
  if (first.totalCount > MAX_CSV_ROWS) {
    throw new Invalid(
      "page.form_invalid",
      `At most ${MAX_CSV_ROWS} deployments fit in a CSV file: choose a shorter period`,
    );
  }
  const deployments: Deployment[] = [];
  for (let page = 1; page <= first.totalPages; page++) {
    deployments.push(...(await call("listDeployments", { ...given, page })).deployments);
  }
  return { ...first, deployments };
}
