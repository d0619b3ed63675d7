import { type Html, html, visible } from "./html.ts";
import { duration } from "./time.ts";
import type { Tone } from "./verdict.ts";

/* Pictures of figures over time. Each has a text, and differs by more than color. */

interface BarPart {
  readonly tone: Tone;
  readonly count: number;
  /** Name of the part: `compliant`. */
  readonly word: string;
}

export interface Bar {
  /** Time that the bar covers: `week of 2027-01-04`. */
  readonly label: string;
  readonly href: string;
  /** From the bottom up. */
  readonly parts: readonly BarPart[];
}

const BAR = { width: 44, gap: 8, height: 96, axis: 18 };

/** Stacked bars, oldest first, each a link. The caption says what they are about and names the parts. */
export function stackedBars(bars: readonly Bar[], about: string): Html {
  const highest = Math.max(0, ...bars.map(({ parts }) => total(parts)));
  if (highest === 0) return html``;
  const scale = (count: number) => (count / highest) * (BAR.height - BAR.axis);
  const width = bars.length * (BAR.width + BAR.gap);
  return html`<figure class="chart recent" tabindex="0">
<svg width="${width}" height="${BAR.height + BAR.axis}" viewBox="0 0 ${width} ${BAR.height + BAR.axis}" role="group" aria-label="${visible(about)}">${bars.map(
    ({ label, href, parts }, index) => {
      const x = index * (BAR.width + BAR.gap);
      let top = BAR.height;
      const shown = parts.filter(({ count }) => count > 0);
      const text = `${label}: ${shown.map(({ count, word }) => `${count} ${word}`).join(", ") || "none"}`;
      return html`
<a href="${href}" aria-label="${text}">
<title>${text}</title>
<rect class="room" x="${x}" y="0" width="${BAR.width}" height="${BAR.height}"></rect>${shown.map(
        ({ tone, count }) => {
          const height = Math.max(2, scale(count));
          top -= height;
          return html`
<rect class="${tone}" x="${x}" y="${top.toFixed(1)}" width="${BAR.width}" height="${(height - 1).toFixed(1)}"></rect>`;
        },
      )}
</a>
<text x="${x + BAR.width / 2}" y="${(top - 4).toFixed(1)}" text-anchor="middle">${total(parts) || ""}</text>
<text x="${x + BAR.width / 2}" y="${BAR.height + 13}" text-anchor="middle">${shortDay(label)}</text>`;
    },
  )}
</svg>
<figcaption class="key"><span>${visible(about)}:</span> ${keyOf(bars)}</figcaption>
</figure>`;
}

function total(parts: readonly BarPart[]): number {
  return parts.reduce((all, { count }) => all + count, 0);
}

/** `01-04` of a label that ends with a day. */
function shortDay(label: string): string {
  return /(\d\d-\d\d)$/.exec(label)?.[1] ?? "";
}

function keyOf(bars: readonly Bar[]): Html {
  const parts = new Map(bars.flatMap(({ parts }) => parts.map(({ word, tone }) => [word, tone] as const)));
  return html`${[...parts].map(
    ([word, tone]) =>
      html`<span><svg width="10" height="10" aria-hidden="true"><rect class="${tone}" width="10" height="10" rx="2"></rect></svg> ${word}</span> `,
  )}`;
}

const LINE = { width: 180, height: 36 };

/** A line of figures, oldest first. A figure that is not known leaves a gap. */
export function trendLine(points: readonly (number | null)[], about: string): Html {
  const known = points.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  if (known.length < 2) return html``;
  const [least, most] = [
    Math.min(...known.map(({ value }) => value)),
    Math.max(...known.map(({ value }) => value)),
  ];
  const y = (value: number) => 3 + (1 - (value - least) / (most - least || 1)) * (LINE.height - 6);
  const x = (index: number) => (index / (points.length - 1)) * LINE.width;
  const path = known
    .map(({ value, index }, at) => `${at === 0 ? "M" : "L"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  return html`<figure class="chart">
<svg width="${LINE.width}" height="${LINE.height}" viewBox="0 0 ${LINE.width} ${LINE.height}" role="img" aria-label="${about}">
<path class="trend" d="${path}"></path>
</svg>
</figure>`;
}

export interface Day {
  /** `2027-01-04` */
  readonly day: string;
  readonly tone: Tone | "none";
  readonly word: string;
  readonly href?: string | undefined;
}

const DAY = { width: 7, gap: 2, height: 24 };
/** Cells differ by height as well as by color. */
const HEIGHTS = { ok: 24, warn: 18, fail: 13, unknown: 8, none: 3 };

/** One cell a day, oldest first, with the first and the last day below. */
export function dayStrip(days: readonly Day[], about: string): Html {
  if (days.length === 0) return html``;
  const width = days.length * (DAY.width + DAY.gap);
  const cells = days.map(({ day, tone, word, href }, index) => {
    const height = HEIGHTS[tone];
    const cell = html`<rect class="${tone}" x="${index * (DAY.width + DAY.gap)}" y="${DAY.height - height}" width="${DAY.width}" height="${height}"><title>${day}: ${word}</title></rect>`;
    return href === undefined
      ? html`
${cell}`
      : html`
<a href="${href}" aria-label="${day}: ${word}">${cell}</a>`;
  });
  const isLinked = days.some(({ href }) => href !== undefined);
  return html`<figure class="chart recent"${isLinked ? html` tabindex="0"` : ""}>
<svg width="${width}" height="40" viewBox="0 0 ${width} 40" role="${isLinked ? "group" : "img"}" aria-label="${visible(about)}">${cells}
<text x="0" y="37">${days.at(0)?.day ?? ""}</text>
<text x="${width}" y="37" text-anchor="end">${days.at(-1)?.day ?? ""}</text>
</svg>
</figure>`;
}

export interface Step {
  readonly name: string;
  /** Unix seconds. */
  readonly at: number;
}

const STEP = { width: 128, height: 64, middle: 14, radius: 6 };

/** A line through steps in order, with the time between. The first is at the edge, so that it is on a narrow screen. */
export function stepLine(steps: readonly Step[], about: string): Html {
  const width = steps.length * STEP.width;
  return html`<figure class="chart" tabindex="0">
<svg width="${width}" height="${STEP.height}" viewBox="0 0 ${width} ${STEP.height}" role="img" aria-label="${about}">
<path class="axis" d="M0 ${STEP.middle}H${width - STEP.width + STEP.radius}"></path>${steps.map(
    ({ name, at }, index) => {
      const x = index * STEP.width;
      return html`
<circle class="ok" cx="${x + STEP.radius}" cy="${STEP.middle}" r="${STEP.radius}"></circle>
<text class="step" x="${x}" y="38">${visible(shortened(name))}<title>${visible(name)}</title></text>
<text x="${x}" y="54">${after(at, steps[index - 1])}</text>`;
    },
  )}
</svg>
</figure>`;
}

/** Maximum number of characters between two steps. */
const STEP_NAME = 16;

function shortened(name: string): string {
  return name.length <= STEP_NAME ? name : `${name.slice(0, STEP_NAME - 1).toWellFormed()}…`;
}

/** The time since the step before, in its largest unit: `after 3 days`. */
function after(at: number, before: Step | undefined): string {
  return before === undefined
    ? ""
    : `after ${duration(at - before.at)
        .split(" ", 2)
        .join(" ")}`;
}
