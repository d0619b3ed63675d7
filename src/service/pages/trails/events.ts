import { html } from "hono/html";
import type { Html } from "../html.ts";
import { link } from "../parts/link.ts";
import { text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { complianceVerdict, overriddenVerdict } from "../parts/verdict.ts";
import type { Paths } from "../paths.ts";
import { numberIn, type TrailEvent, textIn } from "./event-fields.ts";

/** The latest are shown; all of them are in the answer of the interface. */
const SHOWN = 200;

const SENTENCES: Readonly<Record<string, string>> = {
  trail_reported: "The trail was begun or updated",
  artifact_creation_reported: "An artifact was reported",
  trail_attestation_reported: "An attestation was recorded",
  trail_updated: "The trail was updated",
  artifact_attestation_reported: "An attestation of an artifact was recorded",
  trail_attestation_for_artifact_reported: "An attestation was recorded for an artifact, by its name",
  artifact_approval_reported: "An approval was recorded",
  artifact_started_running: "An artifact started to run",
  artifact_stopped_running: "An artifact stopped running",
};

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
  const isOverride = event["attestation_type"] === "override";
  return html`${said}${where}${name === "" ? "" : html`: ${nameOf()}`}${typeof isCompliant === "boolean" ? html` ${isOverride ? overriddenVerdict(isCompliant) : complianceVerdict(isCompliant)}` : ""}`;
  function nameOf(): Html {
    if (attestation !== "")
      return link(to.page("flows", flow, "trails", trail, "attestations", attestation), name);
    return fingerprint === "" ? text(name) : link(to.page("flows", flow, "artifacts", fingerprint), name);
  }
}
