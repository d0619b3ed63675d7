import { html } from "hono/html";
import { definePage } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { trailTable } from "../parts/trail-table.ts";
import { badge } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { endingKeys, failingNotifications, refusedTrails, troubledEnvironments } from "./attention.ts";

/** How many trails are shown. */
const LATEST = 10;

/** What needs attention in an organization, and what was recorded last. */
export const organizationPage = definePage({
  path: "/:org",
  audience: "everybody",
  async show(request) {
    const { org, ask } = request;
    const [latest, ...found] = await Promise.all([
      ask("listTrails", { perPage: LATEST }),
      troubledEnvironments(request),
      refusedTrails(request),
      failingNotifications(request),
      endingKeys(request),
    ]);
    const attention = found.filter(({ count }) => count > 0);
    const howTo = {
      title: "Begin a trail",
      code: workflowStep("begin-trail", { flow: "web", trail: "${{ github.sha }}" }, request),
    };
    const trails = trailTable(
      {
        id: "latest",
        caption: "Latest trails",
        trails: latest.data,
        empty: empty("There is no trail yet.", howTo),
      },
      request,
    );
    return {
      title: org,
      main: html`<section aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
${attention.length === 0 ? html`<p class="lead">${badge("NOTHING", "ok")} needs attention.</p>` : attention.map((each) => each.html)}</section>
<section aria-labelledby="recorded"><h2 id="recorded">Recorded last</h2>${trails.html}</section>`,
      tables: [...attention, trails],
      json: { operation: "listTrails", given: { perPage: LATEST } },
      howTo,
    };
  },
});
