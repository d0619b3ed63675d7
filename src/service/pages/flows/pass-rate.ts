import { html } from "hono/html";
import type { Html } from "../html.ts";
import { visible } from "../parts/text.ts";
import type { ListedTrail } from "../parts/trail-table.ts";

const WIDTH = 8;
const HEIGHT = 24;

const TONES = { COMPLIANT: "ok", "NON-COMPLIANT": "fail", INCOMPLETE: "warn" } as const;

/** Verdicts differ by the height of their bars, for who does not tell the colours apart. */
const HEIGHTS = { COMPLIANT: HEIGHT, INCOMPLETE: 14, "NON-COMPLIANT": 8 } as const;

/** How many of the last trails of a flow were compliant, as a sentence and as a bar for each. */
export function passRate(trails: readonly ListedTrail[]): Html {
  if (trails.length < 2) return html``;
  const compliant = trails.filter(({ complianceState }) => complianceState === "COMPLIANT").length;
  const sentence = `${compliant} of the last ${trails.length} trails are compliant`;
  return html`<figure class="bars"><svg width="${trails.length * WIDTH}" height="${HEIGHT}" role="img" aria-label="${sentence}, the latest at the right, the higher the better">${trails
    .toReversed()
    .map(
      ({ complianceState: state, name }, index) =>
        html`<rect class="${TONES[state]}" x="${index * WIDTH}" y="${HEIGHT - HEIGHTS[state]}" width="${WIDTH - 2}" height="${HEIGHTS[state]}"><title>${visible(name)}: ${state}</title></rect>`,
    )}</svg><figcaption>${sentence}.</figcaption></figure>`;
}
