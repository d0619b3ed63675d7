import type { Checklist, ChecklistPart, Slot } from "../../../api/resources/checklist.ts";
import type { PageRequest } from "../page.ts";
import { type Html, html, link } from "../parts/html.ts";
import { environmentLink, linkIf } from "../parts/links.ts";
import { shortTime } from "../parts/time.ts";
import { complianceVerdict, overriddenVerdict } from "../parts/verdict.ts";

/** An event of a trail from `getTrail`. Its fields depend on its type. */
export type TrailEvent = Readonly<Record<string, unknown>>;

export function textIn(event: TrailEvent, name: string): string {
  const value = event[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(event: TrailEvent, name: string): number | undefined {
  const value = event[name];
  return typeof value === "number" ? value : undefined;
}

const SHOWN = 200;

const SENTENCES: Readonly<Record<string, string>> = {
  trail_reported: "The trail was started or updated",
  artifact_creation_reported: "An artifact was reported",
  trail_attestation_reported: "An attestation was recorded",
  trail_updated: "The trail was updated",
  artifact_attestation_reported: "An attestation of an artifact was recorded",
  trail_attestation_for_artifact_reported: "An attestation was recorded for an artifact by name",
  artifact_approval_reported: "An approval was recorded",
  artifact_started_running: "An artifact started running",
  artifact_stopped_running: "An artifact stopped running",
};

export function timeline(
  events: readonly TrailEvent[],
  href: (attestationId: string) => string,
  request: PageRequest,
): Html {
  if (events.length === 0) return html``;
  const shown = events.slice(-SHOWN).toReversed();
  return html`<ol class="timeline">${shown.map(
    (event) => html`<li>${shortTime(numberIn(event, "timestamp"))} ${sentence(event, href, request)}</li>
`,
  )}</ol>${events.length > SHOWN ? html`<p class="quiet">${events.length - SHOWN} earlier events are not shown here.</p>` : ""}`;
}

/** The environments that an artifact of the trail runs in. */
export function placesIn(events: readonly TrailEvent[]): string[] {
  const running = new Map<string, string>();
  for (const event of events) {
    const isStart = event["type"] === "artifact_started_running";
    if (!isStart && event["type"] !== "artifact_stopped_running") continue;
    const environment = textIn(event, "environment_name");
    const key = keyOf(textIn(event, "artifact_fingerprint"), environment);
    if (isStart) running.set(key, environment);
    else running.delete(key);
  }
  return [...new Set(running.values())];
}

function sentence(event: TrailEvent, href: (attestationId: string) => string, request: PageRequest): Html {
  const { params, to, mayOpen } = request;
  const flow = params["flow"] ?? "";
  const type = textIn(event, "type");
  const attestation = textIn(event, "attestation_id");
  const fingerprint = textIn(event, "artifact_fingerprint");
  const name = textIn(event, "template_reference_name") || textIn(event, "artifact_name");
  const phrase = SENTENCES[type] ?? type.replaceAll("_", " ");
  const isCompliant = event["is_compliant"];
  const environment = textIn(event, "environment_name");
  const where =
    environment === ""
      ? ""
      : html` in ${environmentLink(environment, request)(to.page("environments", environment), environment)}`;
  const isOverride = event["attestation_type"] === "override";
  return html`${phrase}${where}${name === "" ? "" : html`: ${nameOf()}`}${typeof isCompliant === "boolean" ? html` ${isOverride ? overriddenVerdict(isCompliant) : complianceVerdict(isCompliant)}` : ""}`;
  function nameOf(): Html {
    if (attestation !== "") return link(href(attestation), name);
    return linkIf(
      fingerprint !== "" && mayOpen("getArtifact", { flowName: flow }),
      to.page("flows", flow, "artifacts", fingerprint),
      name,
    );
  }
}

export type Recorded = NonNullable<ReturnType<typeof recordIn>>;

/** An attestation for an artifact by name, recorded before the artifact was reported. */
export interface Claim extends Recorded {
  /** The artifact's name in the template. */
  readonly artifact: string;
  /** The commit of the artifact's build. */
  readonly commit: string;
}

export function recordsIn(events: readonly TrailEvent[], { parts }: Pick<Checklist, "parts">) {
  const builds = events.flatMap((event) => {
    const fingerprint = textIn(event, "artifact_fingerprint");
    const name = textIn(event, "template_reference_name");
    const commit = textIn(event, "git_commit");
    return event["type"] === "artifact_creation_reported" ? [{ fingerprint, name, commit }] : [];
  });
  const byKey = new Map<string, Recorded[]>();
  const claims: Claim[] = [];
  for (const event of events) {
    const record = recordIn(event);
    if (record === undefined) continue;
    const name = textIn(event, "target_artifact");
    const fingerprint = textIn(event, "artifact_fingerprint");
    const commit = textIn(Object(event["git_commit_info"]), "sha1");
    const isClaim = fingerprint === "" && name !== "";
    const built = isClaim ? builds.filter((each) => each.name === name && each.commit === commit) : [];
    if (isClaim && built.length === 0) claims.push({ ...record, artifact: name, commit });
    const subjects = isClaim ? [name, ...built.map((each) => each.fingerprint)] : [fingerprint];
    for (const subject of new Set(subjects)) {
      const key = keyOf(subject, record.name);
      const made = byKey.get(key);
      if (made === undefined) byKey.set(key, [record]);
      else made.push(record);
    }
  }
  const now = new Set(parts.flatMap(({ slots }) => slots.flatMap(({ attestationId: id }) => id ?? [])));
  return {
    claims,
    /** The attestations of a slot, newest first. */
    of({ artifact }: ChecklistPart, { name, attestationId }: Slot): readonly Recorded[] {
      const subject = artifact === undefined ? "" : (artifact.fingerprint ?? artifact.name);
      const all = byKey.get(keyOf(subject, name)) ?? [];
      // Skips attestations of another slot with the same name.
      return all.filter(({ id }) => id === attestationId || !now.has(id)).reverse();
    },
  };
}

/** No stored text has a NUL. */
function keyOf(subject: string, name: string): string {
  return `${subject}\0${name}`;
}

function recordIn(event: TrailEvent) {
  const [id, name] = [textIn(event, "attestation_id"), textIn(event, "template_reference_name")];
  if (id === "") return undefined;
  return {
    id,
    name,
    isCompliant: event["is_compliant"] === true,
    isOverride: event["attestation_type"] === "override",
    /** Unix seconds. */
    at: numberIn(event, "timestamp") ?? 0,
  };
}
