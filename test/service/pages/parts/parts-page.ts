import { Invalid } from "../../../../src/service/kernel/errors.ts";
import { definePage, type PageRequest } from "../../../../src/service/pages/page.ts";
import { band } from "../../../../src/service/pages/parts/band.ts";
import {
  code,
  data,
  empty,
  externalLinks,
  facts,
  live,
  numberedLines,
  shownOnce,
  tags,
} from "../../../../src/service/pages/parts/blocks.ts";
import { dayStrip, stackedBars, stepLine, trendLine } from "../../../../src/service/pages/parts/charts.ts";
import {
  choiceFilter,
  filterBar,
  periodFilter,
  textFilter,
} from "../../../../src/service/pages/parts/filter-bar.ts";
import {
  area,
  checkbox,
  choice,
  confirmation,
  field,
  foldedForm,
  shareForm,
} from "../../../../src/service/pages/parts/form.ts";
import {
  digest,
  type Html,
  html,
  link,
  list,
  longText,
  plainList,
  row,
  safeLink,
  text,
} from "../../../../src/service/pages/parts/html.ts";
import { guideLink } from "../../../../src/service/pages/parts/links.ts";
import { numberedPage } from "../../../../src/service/pages/parts/lists.ts";
import {
  complianceCell,
  digestCell,
  linkCell,
  table,
  tagsCell,
  timeCell,
  verdictCell,
} from "../../../../src/service/pages/parts/table.ts";
import { textDiff } from "../../../../src/service/pages/parts/text-diff.ts";
import { card, chip, tile } from "../../../../src/service/pages/parts/tiles.ts";
import { shortTime, time } from "../../../../src/service/pages/parts/time.ts";
import {
  approvalState,
  badge,
  overriddenVerdict,
  type Tone,
  type Verdict,
  verdict,
} from "../../../../src/service/pages/parts/verdict.ts";

/*
 * All parts of the pages with their states, on one page that only tests serve. Its pictures are what a designer looks
 * at. A new part, or a new state of one, belongs here.
 */

const DAY = 86_400;
const COMMIT = "4ef044d1a3c95be7702f6d8c13b6a5e90d27c841";
const FINGERPRINT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const LONG =
  "Retry the authorization of cards on a timeout, but not when the bank has refused the card before";

export const partsPage = definePage({
  path: "/:org/parts",
  audience: "accounts",
  show: async (request) => ({
    title: "Parts",
    above: [["Flows", request.to.page("flows")]],
    main: html`${Object.entries(SECTIONS).map(
      ([name, content]) => html`<h2>${name}</h2>
${content(request)}
`,
    )}`,
    json: { operation: "listFlows", given: {} },
    howTo: { title: "Do the same on the command line", code: "npx delivery-evidence call listFlows" },
  }),
  /** Refuses the form, as an operation refuses it. */
  act() {
    throw new Invalid("request.field_invalid", "The input was not accepted", {
      name: "must consist of letters, digits and hyphens: try zoe-b",
      since: "'soon' is not a valid day: use YYYY-MM-DD, such as 2027-01-31",
      "targets[0].webhook": "must be an http:// or https:// address",
      scope: "is not a known field",
    });
  },
});

const SECTIONS: Readonly<Record<string, (request: PageRequest) => Html>> = {
  Results: () => {
    const words: readonly Verdict[] = [
      ...(["COMPLIANT", "NON-COMPLIANT", "INCOMPLETE", "UNKNOWN"] as const),
      ...(["MISSING", "OVERRIDDEN", "ALLOWED", "DENIED"] as const),
    ];
    const states = (["APPROVED", "UNAPPROVED", "PENDING"] as const).map(approvalState);
    return html`<p>${words.map((word) => html`${verdict(word)} `)}</p>
<p>${states.map((state) => html`${state} `)}${badge("verified", "ok")} ${overriddenVerdict(true)}</p>
<p class="lead">${verdict("COMPLIANT")} Latest trail, changed ${time(1_800_000_000 - DAY)}.</p>`;
  },
  Bands: ({ to }) => {
    const fix = guideLink("gate-shut", "See how to fix it");
    const run = html`<a href="https://ci.example/1">Open the run</a>`;
    const reasons = list(
      [html`3 artifacts have no provenance`, html`1 artifact failed unit-tests`],
      "reasons",
    );
    return html`${band(verdict("COMPLIANT"), html`All requirements are met.`)}
${band(verdict("NON-COMPLIANT"), html`${link(to.page("flows"), "unit-tests")} failed: 2 of 746 tests failed.`, { more: reasons ?? html``, buttons: [run, fix] })}
${band(verdict("INCOMPLETE"), html`Missing: pull-request, sbom and 2 more.`, { buttons: [fix] })}
${band(verdict("UNKNOWN"), html`No reports yet.`)}`;
  },
  Tiles: ({ to }) => html`<ul class="tiles">
${tile({ label: "Environments compliant", figure: "3 of 5", href: to.page("environments") })}
${tile({ label: "Trails compliant", figure: "87%", href: to.page("flows"), note: html`last week, 4 points more than the week before`, line: trendLine([60, 62, 58, null, 70, 71, 75, 74, 79, 83, 83, 87], "Trails compliant by week") })}
${tile({ label: "Without review", figure: "–", href: undefined, note: html`this week` })}
</ul>`,
  Cards: ({ to }) => {
    const cards = (["COMPLIANT", "NON-COMPLIANT", "UNKNOWN"] as const).map((word, index) =>
      card({
        result: verdict(word),
        name: link(
          to.page("environments"),
          ["production", "staging-with-a-rather-long-name", "new"][index] ?? "",
        ),
        note:
          word === "NON-COMPLIANT"
            ? html`Provenance is missing: payments-api`
            : html`Last change: ${shortTime(1_800_000_000 - 3_600)}`,
        days: word === "UNKNOWN" ? [] : daysOf(30),
        about: "The last 30 days",
      }),
    );
    return html`<ul class="cards">${cards}</ul>`;
  },
  "Chips and tags": ({
    here,
  }) => html`<p>${["flow:web", "is:failing", "author:octocat"].map((each) => html`${chip(each, here({}))} `)}</p>
${tags({ team: "payments", tier: "1", region: "eu-central-1" }) ?? ""}`,
  Charts: ({ to }) => html`${stackedBars(
    Array.from({ length: 12 }, (_, week) => ({
      label: `Week of 2026-${week < 6 ? "11" : "12"}-${String(1 + (week % 6) * 5).padStart(2, "0")}`,
      href: to.page("flows"),
      parts: [
        { tone: "ok", word: "compliant", count: week * 3 },
        { tone: "warn", word: "incomplete", count: week % 3 },
        { tone: "fail", word: "non-compliant", count: (week * 7) % 5 },
      ],
    })),
    "Trails by week",
  )}
${dayStrip(daysOf(90, to.page("environments")), "The last 90 days")}
${stepLine(
  ["Begun", "Built", "Tested", "Approved", "In production"].map((name, index) => ({
    name,
    at: index ** 5 * 60,
  })),
  "Progress of the trail",
)}`,
  "Rows and tables": rowsAndTables,
  "Filter bar": filterOfTrails,
  Fields: (request) =>
    request.form({
      act: "save",
      content: html`${field({ name: "name", label: "Name", isRequired: true }, request)}
${field({ name: "since", label: "Events since", hint: "A day, such as 2027-01-31" }, request)}
${choice({ name: "role", label: "Role", value: "member", options: ["admin", "member", "reader"] }, request)}
<p>Events</p>
${plainList(["trail becomes compliant", "gate refuses an artifact"].map((label, index) => checkbox({ name: "trigger", value: index, label, isChecked: index === 0 })))}
${area({ name: "targets", label: "Targets", value: "https://hooks.example/1\nops@example.com", hint: "One a line: the address of a webhook, or an email address" }, request)}`,
      button: "Save",
      label: "All fields",
    }),
  Forms: (request) => html`${foldedForm(
    "Archive this flow",
    {
      isOpen: true,
      act: "archive",
      content: html`<p>Its records stay, but it no longer appears in lists.</p>
${confirmation("web", request)}`,
      isDangerous: true,
      button: "Archive",
      label: "Archive",
    },
    request,
  )}
${foldedForm("Mute this rule", { act: "mute", button: "Mute" }, request)}
${shareForm({ kind: "trail", place: "web", name: "v1" }, request)}
${request.form({ act: "test", button: "Send an example" })}`,
  Texts: () => html`${longText(`${LONG}.\n\nSecond paragraph: ${"0123456789".repeat(15)}`)}
<p>${digest(COMMIT)} ${digest(FINGERPRINT)} ${safeLink("https://ci.example/runs/1", "Run 1")} ${safeLink("https://example.com/a")} <code>evidence.yml</code></p>
${facts([
  ["Commit", html`${digest(COMMIT)} ${safeLink(`https://github.com/acme/web/commit/${COMMIT}`, "View")}`],
  ["Author", text("Ada Lovelace <ada@example.com>")],
  ["Started", html`${time(1_800_000_000 - 90 * DAY)} by ${text("pipelines")}`],
  ["Runs in", plainList([html`production`, html`staging`])],
  ["Last used", time(null)],
  ["Links", externalLinks({ Jira: "https://jira.example/PAY-1", Wiki: { href: "https://wiki.example" } })],
])}
${code("npx delivery-evidence call listFlows")}
${numberedLines("version: 1\ntrail:\n  attestations:\n    - name: unit-tests\n      type: junit\n")}
${textDiff("version: 1\nname: web\nrequired: true", "version: 2\nname: web\nrequired: false\nnew: line", { before: "version 1", after: "version 2" })}
${data("User data", { build: 12, ok: true })}
${data("Empty", {})}`,
  Notices: () => html`<div class="alert"><p>Type the name of the flow to archive it.</p></div>
${empty("No flows yet.", { title: "Create a flow", code: "npx delivery-evidence call putFlow name=web" })}
${empty("No trails match.")}
${list([html`Fix ${link("#", "production")}: it runs artifacts that its policies refuse.`, html`Replace the key ${text("CI")} of ${link("#", "pipelines")}: it expires ${shortTime(1_800_000_000 + 3 * DAY)}.`], "todo") ?? ""}
${shownOnce({ id: "key", label: "API key of pipelines", value: "de_0123456789abcdefghijklmnopqrstuvwxyz" })}
${live(html`<p>This content refreshes.</p>`)}`,
};

/** Days of every tone, the last one without a report. */
function daysOf(count: number, href?: string) {
  const tones: readonly (Tone | "none")[] = ["ok", "ok", "ok", "warn", "fail", "ok", "unknown"];
  return Array.from({ length: count }, (_, index) => {
    const tone = index === count - 1 ? "none" : (tones[index % tones.length] ?? "ok");
    const day = new Date((1_800_000_000 - (count - 1 - index) * DAY) * 1000).toISOString().slice(0, 10);
    return { day, tone, word: tone, href: tone === "none" ? undefined : href };
  });
}

function rowsAndTables(request: PageRequest): Html {
  const { to, here } = request;
  const trails = [
    { title: LONG, flow: "payments-api", word: "NON-COMPLIANT" as const, age: 600 },
    { title: "Update dependencies", flow: "web", word: "COMPLIANT" as const, age: 30 * DAY },
  ];
  const rows = table<(typeof trails)[number]>(request, {
    id: "rows",
    caption: "Trails, newest first",
    isOfRows: true,
    columns: {
      Trail: ({ title, flow, age }) =>
        row(link(to.page("flows"), title), [
          link(to.page("flows", flow), flow),
          digest(COMMIT),
          text("Ada Lovelace"),
          text("feature/retry-on-timeout"),
          shortTime(1_800_000_000 - age),
        ]),
      State: ({ word }) => verdictCell(word),
    },
    rows: trails,
    empty: "No trails yet.",
  });
  const artifacts = [
    { name: "registry.example/shop/checkout:1.2", isCompliant: true, count: 3, at: 1_800_000_000 },
    { name: "web.zip", isCompliant: null, count: 1_200, at: null },
  ];
  const cells = table<(typeof artifacts)[number]>(request, {
    id: "cells",
    caption: "Artifacts",
    columns: {
      Artifact: {
        cell: ({ name }) => linkCell(to.page("flows"), name),
        sorted: { direction: "ascending", href: here({ direction: "desc" }) },
      },
      Reported: {
        cell: ({ at }) => timeCell(at),
        sorted: { direction: undefined, href: here({ sort: "at" }) },
      },
      Fingerprint: () => digestCell(FINGERPRINT),
      State: ({ isCompliant }) => complianceCell(isCompliant),
      Tags: () => tagsCell({ team: "shop", tier: "1" }),
      Instances: { cell: ({ count }) => count, isNumber: true },
      Allow: {
        cell: ({ name }) => request.form({ act: "allow", button: "Allow", label: `Allow ${name}` }),
        isForForms: true,
      },
    },
    rows: artifacts,
    empty: "No artifacts yet.",
  });
  const nothing = table<never>(request, {
    id: "nothing",
    caption: "Nothing",
    columns: {},
    rows: [],
    empty: "No keys.",
  });
  return html`${rows.html}
${cells.html}
${nothing.html}`;
}

/** With two conditions, and the position in the list. */
function filterOfTrails(request: PageRequest): Html {
  const chosen = { ...request, query: new URLSearchParams("state=failing&from=2027-01-01") };
  const bar = filterBar(
    "Filter trails",
    {
      state: choiceFilter("State", ["failing", "compliant"]),
      author: textFilter("Author", { known: ["octocat"] }),
      period: periodFilter(),
    },
    chosen,
  );
  const rows = Array.from({ length: 50 }, (_, index) => index);
  const { count, pager } = numberedPage(rows, { page: 2, perPage: 50, total: 144 }, chosen);
  return html`${bar.html}<p class="quiet">${count}</p>${pager}`;
}
