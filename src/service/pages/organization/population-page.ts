import { Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { download } from "../page-answer.ts";
import { field, questionForm, refusalAlert } from "../parts/form.ts";
import { type Html, html, link } from "../parts/html.ts";
import { table, timeCell } from "../parts/table.ts";
import { DAY } from "../parts/time.ts";

/* The members of a flow, environment or control in a period, with a sample, for auditors. */

const KINDS = ["flow", "environment", "control"] as const;
type Kind = (typeof KINDS)[number];
type Member = AnsweredBy<"getPopulation">["members"][number];

const HOW_TO = {
  title: "Check the package offline",
  code: `delivery-evidence call getLogPolicy --output-file policy.txt
delivery-evidence verify population.tgz --policy policy.txt`,
};

/** Members on the page. The package has all of them. */
const SHOWN = 100;

export const populationPage = definePage({
  path: "/:org/population",
  audience: "everybody",
  async show(request) {
    const { call, to } = request;
    const query = withPeriod(request);
    const given = givenIn(query);
    const title = "Population";
    const question = questionFor(query);
    if (KINDS.every((kind) => !query.has(kind))) return { title, main: question, howTo: HOW_TO };
    const found = await call("getPopulation", given).catch(refusalOf);
    if (found instanceof Refusal)
      return { title, main: html`${refusalAlert(found)}${question}`, howTo: HOW_TO, status: 400 };
    const members = memberTable(request, {
      id: "members",
      caption: found.count > SHOWN ? `The first ${SHOWN} members` : "Members",
      rows: found.members.slice(0, SHOWN),
    });
    const sample = memberTable(request, { id: "sample", caption: "Sample", rows: found.sample });
    return {
      title,
      main: html`<p class="lead">${found.count} ${found.count === 1 ? "member" : "members"} in the period.</p>
${question}
<p>${link(`${to.page("population", "package")}?${query}`, "Download the package with its proof")}</p>
${found.sample.length === 0 ? "" : sample.html}
${members.html}`,
      tables: [members, sample],
      json: { operation: "getPopulation", given },
      howTo: HOW_TO,
    };
  },
});

export const populationPackage = definePage({
  path: "/:org/population/package",
  audience: "everybody",
  show: async ({ call, query }) => download(await call("getPopulationPackage", givenIn(query))),
});

/** Leads to the page from that of a flow, environment or control. */
export function populationLink({ mayOpen, to }: PageRequest, kind: Kind, name: string): Html | "" {
  if (!mayOpen("getPopulation")) return "";
  return link(`${to.page("population")}?${kind}=${encodeURIComponent(name)}`, "Population for an audit");
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** Without a period, the last 90 days with today. */
function withPeriod({ query, now }: PageRequest): URLSearchParams {
  const dayOf = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);
  return new URLSearchParams({
    ...Object.fromEntries(query),
    from: query.get("from") || dayOf(now - 90 * DAY),
    to: query.get("to") || dayOf(now + DAY),
  });
}

function givenIn(query: URLSearchParams) {
  const subjects = KINDS.flatMap((kind) => {
    const name = query.get(kind) ?? "";
    return name === "" ? [] : [[kind, name]];
  });
  const [n, seed] = [Number(query.get("n") ?? ""), query.get("seed") ?? ""];
  return {
    ...Object.fromEntries(subjects),
    ...{ from: query.get("from") ?? "", to: query.get("to") ?? "" },
    ...(Number.isInteger(n) && n > 0 ? { n } : {}),
    ...(seed === "" ? {} : { seed }),
  };
}

function questionFor(query: URLSearchParams): Html {
  const value = (name: string) => query.get(name) ?? "";
  const chosen = KINDS.filter((kind) => value(kind) !== "");
  const subjects = (chosen.length === 0 ? KINDS : chosen).map((kind) =>
    field({ name: kind, label: LABELS[kind], value: value(kind) }),
  );
  return questionForm(
    html`${subjects}
${field({ name: "from", label: "From (UTC)", type: "date", value: value("from"), isRequired: true })}
${field({ name: "to", label: "To before (UTC)", type: "date", value: value("to"), isRequired: true })}
${field({ name: "n", label: "Sample size", type: "number", value: value("n") })}
${field({ name: "seed", label: "Seed", value: value("seed"), hint: "The same seed picks the same sample" })}`,
    "List a population",
    "List",
  );
}

const LABELS = {
  flow: "Flow: its trails",
  environment: "Environment: artifacts that started",
  control: "Control: decisions",
};

function memberTable(
  request: PageRequest,
  shape: { readonly id: string; readonly caption: string; readonly rows: readonly Member[] },
) {
  return table<Member>(request, {
    ...shape,
    columns: {
      Name: ({ name }) => name,
      ID: ({ id }) => id,
      Time: ({ at }) => timeCell(at),
      By: ({ by }) => by,
    },
    empty: "No members in the period.",
  });
}
