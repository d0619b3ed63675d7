import { html } from "hono/html";
import type { Html } from "../html.ts";
import { link } from "../parts/link.ts";
import { text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import type { Paths } from "../paths.ts";

/** What happened to a trail, as `getTrail` answers it. */
type TrailEvent = Readonly<Record<string, unknown>>;

/** The latest are shown; all of them are in the answer of the interface. */
const SHOWN = 200;

const SENTENCES: Readonly<Record<string, string>> = {
  trail_reported: "The trail was begun or updated",
  artifact_creation_reported: "An artifact was reported",
  trail_attestation_reported: "An attestation was recorded",
  artifact_attestation_reported: "An attestation of an artifact was recorded",
  artifact_approval_reported: "An approval was recorded",
  artifact_started_running: "An artifact started to run",
  artifact_stopped_running: "An artifact stopped running",
};

/** When each attestation was recorded, by id, in Unix seconds. */
export function recordingTimes(events: readonly TrailEvent[]): ReadonlyMap<string, number> {
  return new Map(
    events.flatMap(({ attestation_id: id, timestamp }) =>
      typeof id === "string" && typeof timestamp === "number" ? [[id, timestamp] as const] : [],
    ),
  );
}

/** What happened, the latest first. Of one second, later ones come first as well. */
export function timeline(events: readonly TrailEvent[], { flow, trail, to }: Place): Html {
  if (events.length === 0) return html``;
  const shown = events.slice(-SHOWN).toReversed();
  return html`<ol class="timeline">${shown.map(
    (event) => html`<li>${time(numberIn(event, "timestamp"))} ${sentence(event, { flow, trail, to })}</li>
`,
  )}</ol>${events.length > SHOWN ? html`<p class="quiet">${events.length - SHOWN} earlier events are not shown here.</p>` : ""}`;
}

interface Place {
  readonly flow: string;
  readonly trail: string;
  readonly to: Paths;
}

function sentence(event: TrailEvent, { flow, trail, to }: Place): Html {
  const type = textIn(event, "type");
  const attestation = textIn(event, "attestation_id");
  const fingerprint = textIn(event, "artifact_fingerprint");
  const name = textIn(event, "template_reference_name") || textIn(event, "artifact_name");
  const said = SENTENCES[type] ?? type.replaceAll("_", " ");
  const isCompliant = event["is_compliant"];
  const environment = textIn(event, "environment_name");
  const where =
    environment === "" ? "" : html` in ${link(to.page("environments", environment), environment)}`;
  return html`${said}${where}${name === "" ? "" : html`: ${nameOf()}`}${typeof isCompliant === "boolean" ? html` ${complianceVerdict(isCompliant)}` : ""}`;
  function nameOf(): Html {
    if (attestation !== "")
      return link(to.page("flows", flow, "trails", trail, "attestations", attestation), name);
    return fingerprint === "" ? text(name) : link(to.page("flows", flow, "artifacts", fingerprint), name);
  }
}

function textIn(event: TrailEvent, field: string): string {
  const value = event[field];
  return typeof value === "string" ? value : "";
}

function numberIn(event: TrailEvent, field: string): number | undefined {
  const value = event[field];
  return typeof value === "number" ? value : undefined;
}
