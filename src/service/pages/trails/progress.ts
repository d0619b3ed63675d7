import type { PageRequest } from "../page.ts";
import { type Step, stepLine } from "../parts/charts.ts";
import { type Html, html, visible } from "../parts/html.ts";
import { numberIn, type TrailEvent, textIn } from "./events.ts";

/** A line from the start of a trail to its deployments, with the time between. Empty before the second step. */
export function progress(events: readonly TrailEvent[], { params }: PageRequest): Html {
  const steps = stepsIn(events);
  if (steps.length < 2) return html``;
  const label = steps.map(({ name }) => name).join(", ");
  return stepLine(
    steps,
    `Progress of ${visible(params["trail"] ?? "")}: ${visible(label)}. The events below have the times.`,
  );
}

/** Maximum number of environments on the line. */
const PLACES = 3;

/** The first of each kind of event, in order. */
function stepsIn(events: readonly TrailEvent[]): readonly Step[] {
  const first = new Map<string, number>();
  const places = new Set<string>();
  for (const event of events) {
    const name = nameOf(event);
    const at = numberIn(event, "timestamp");
    if (name === undefined || at === undefined) continue;
    if (name.startsWith(IN)) places.add(name);
    if (places.size > PLACES && !first.has(name)) continue;
    // The last test counts, because the others are not the end of testing.
    if (name === TESTED || !first.has(name)) first.set(name, at);
  }
  return [...first].map(([name, at]) => ({ name, at })).sort((one, other) => one.at - other.at);
}

const TESTED = "Tested";
const IN = "In ";

function nameOf(event: TrailEvent): string | undefined {
  switch (textIn(event, "type")) {
    case "trail_reported":
      return "Begun";
    case "artifact_creation_reported":
      return "Built";
    case "artifact_attestation_reported":
      return TESTED;
    case "artifact_approval_reported":
      return "Approved";
    case "artifact_started_running":
      return `${IN}${textIn(event, "environment_name")}`;
    default:
      return undefined;
  }
}
