import { html } from "hono/html";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";

/** Of how many trails the rate is. */
const COUNTED = 30;
const WIDTH = 8;
const HEIGHT = 24;

const TONES = { COMPLIANT: "ok", "NON-COMPLIANT": "fail", INCOMPLETE: "warn" } as const;

/** How many of the last trails of a flow were compliant, as a sentence and as a bar for each. */
export async function passRate({ ask }: Pick<PageRequest, "ask">, flow: string): Promise<Html> {
  const answer = await ask("listFlowTrails", { flowName: flow, page: 1, perPage: COUNTED });
  const trails = "data" in answer ? answer.data : answer;
  if (trails.length < 2) return html``;
  const compliant = trails.filter(({ complianceState }) => complianceState === "COMPLIANT").length;
  const sentence = `${compliant} of the last ${trails.length} trails are compliant`;
  return html`<figure class="bars"><svg width="${trails.length * WIDTH}" height="${HEIGHT}" role="img" aria-label="${sentence}, the latest at the right">${trails
    .toReversed()
    .map(
      ({ complianceState }, index) =>
        html`<rect class="${TONES[complianceState]}" x="${index * WIDTH}" y="${complianceState === "COMPLIANT" ? 0 : HEIGHT / 2}" width="${WIDTH - 2}" height="${complianceState === "COMPLIANT" ? HEIGHT : HEIGHT / 2}"></rect>`,
    )}</svg><figcaption>${sentence}.</figcaption></figure>`;
}
