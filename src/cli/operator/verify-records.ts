import type { Files } from "./package-archive.ts";
import {
  hex,
  type Json,
  json,
  type LoggedEvent,
  MAX_STEP_BACK,
  NAMING,
  nameIn,
  objects,
  provenLine,
  type Say,
  sha256,
} from "./package-values.ts";
import { differences } from "./record-differences.ts";

// Finds the record and the attached files of each event in a package, and compares them. Other files are not its records.

interface Checking {
  /** Those of a trail, and those that named its flow, in the order of the log. */
  readonly events: readonly LoggedEvent[];
  readonly manifest: Json;
  /** Names of files that an event explains. */
  readonly explained: Set<string>;
  readonly lines: string[];
  readonly tampered: Say;
  readonly undecided: Say;
}

/** Checks the package of a trail or an artifact. */
export function checkRecords(files: Files, checking: Checking): void {
  const { events, manifest, lines, tampered } = checking;
  const { fingerprint } = manifest;
  const names = checkTrail(files, "", checking);
  if (names === undefined) return;
  if (manifest["flow"] !== names.flow || manifest["trail"] !== names.trail)
    tampered("manifest.json: it names another flow or trail than the log");
  const reported = events.filter(({ event }) => event["type"] === "artifact.reported");
  if (
    fingerprint !== undefined &&
    !reported.every(({ event }) => dataOf(event)["fingerprint"] === fingerprint)
  )
    tampered("manifest.json: it names another artifact than artifact.json");
  lines.push(`Trail ${names.trail} of the flow ${names.flow}`);
}

/** Checks the trails of a sample, each in a folder with its id. */
export function checkSampledTrails(
  files: Files,
  {
    events,
    inRange,
    ids,
    ...checking
  }: Checking & { inRange: readonly LoggedEvent[]; ids: ReadonlySet<string> },
): void {
  const present = new Set(events.map(({ index }) => index));
  for (const { event, index } of events) {
    if (event["trail_id"] !== null && !ids.has(String(event["trail_id"])))
      checking.tampered(`log/events/${index}.json: it is of no trail in the sample`);
  }
  for (const { event, index } of inRange) {
    if (ids.has(String(event["trail_id"])) && !present.has(index))
      checking.tampered(`log/events/${index}.json: it is missing`);
  }
  for (const id of ids) {
    const ofTrail = events.filter(({ event }) => event["trail_id"] === id || event["trail_id"] === null);
    checkTrail(files, `sample/${id}/`, { ...checking, events: ofTrail });
  }
}

/** @returns the names of the trail and its flow */
function checkTrail(
  files: Files,
  folder: string,
  { events, manifest, explained, lines, tampered, undecided }: Checking,
): { readonly flow: string; readonly trail: string } | undefined {
  const ofTrail = events.filter(({ event }) => /^trail\.(begun|updated)$/.test(String(event["type"])));
  const [begun] = ofTrail;
  if (begun?.event["type"] !== "trail.begun" && events.some(isCarriedOver)) {
    undecided(`${folder}trail.json: the trail has records that are older than the log`);
    for (const name of files.keys())
      if (name.startsWith(folder) || name.startsWith("log/details/")) explained.add(name);
    return undefined;
  }
  const flow = nameIn(events, dataOf(begun?.event)["flow_id"]);
  if (begun?.event["type"] !== "trail.begun" || flow === undefined) {
    tampered(`${folder || "manifest.json"}: no event of the log began this trail`);
    return undefined;
  }
  const names = { flow, trail: String(begun.event["subject_name"]) };
  const isOfArtifact = manifest["fingerprint"] !== undefined;
  if (!isOfArtifact) explained.add(`${folder}trail-page.html`);
  let latest = 0;
  for (const { event, index } of events) {
    const at = Number(event["at"]);
    if (at < latest - MAX_STEP_BACK)
      lines.push(`note       log/events/${index}.json: it claims to be earlier than the event before it`);
    latest = Math.max(latest, at);
    const isNaming = event["trail_id"] === null && NAMING.test(String(event["type"]));
    if (event["trail_id"] !== begun.event["subject_id"] && !isNaming)
      tampered(`log/events/${index}.json: it is of another trail`);
    const own = recordName(event, isOfArtifact);
    if (own === undefined) continue;
    const name = `${folder}${own}`;
    explained.add(name);
    const content = files.get(name);
    if (content === undefined) {
      tampered(`${name}: it is missing`);
      continue;
    }
    const shown = own === "trail.json" ? (ofTrail.at(-1)?.event ?? event) : event;
    const wrong = differences(json(name, content), { event, latest: shown, ...names }, files);
    if (wrong.length > 0) tampered(`${name}: it differs from its event in ${wrong.join(", ")}`);
    else lines.push(provenLine(name, index, event));
    explained.add(`log/details/${dataOf(event)["details"]}.json`);
    for (const problem of attachmentProblems(event, { files, folder, manifest, explained }))
      tampered(problem);
  }
  return names;
}

/** Whether an event was recorded before the log, in another form. */
function isCarriedOver({ event }: LoggedEvent): boolean {
  return event["type"] === "trail.carried_over";
}

/** Name of the file with the record of an event. Undefined for an event without one. */
function recordName(event: Json, isOfArtifact: boolean): string | undefined {
  const { subject_id: id, subject_name: name } = event;
  switch (event["type"]) {
    case "trail.begun":
      return isOfArtifact ? undefined : "trail.json";
    case "artifact.reported":
      return isOfArtifact ? "artifact.json" : `artifacts/${dataOf(event)["fingerprint"]}-${id}.json`;
    case "attestation.recorded":
    case "attestation.overridden":
      return `attestations/${name}-${id}.json`;
    default:
      return undefined;
  }
}

interface Attaching {
  readonly files: Files;
  readonly folder: string;
  readonly manifest: Json;
  readonly explained: Set<string>;
}

function attachmentProblems(event: Json, { files, folder, manifest, explained }: Attaching): string[] {
  const omitted = [...objects(manifest["changed"]), ...objects(manifest["missing"])];
  return objects(dataOf(event)["attachments"]).flatMap(({ name, sha256: digest }, position) => {
    const path = `${folder}attachments/${event["subject_id"]}/${position}-${portable(String(name))}`;
    explained.add(path);
    const content = files.get(path);
    if (content !== undefined)
      return hex(sha256(content)) === digest ? [] : [`${path}: it is not the attested file`];
    return omitted.some((file) => file["name"] === path) ? [] : [`${path}: it is missing`];
  });
}

/** The name of an attached file in a package. */
function portable(name: string): string {
  return name.replace(/[/\\\p{Cc}]/gu, "_").replace(/[. ]+$/, "") || "_";
}

function dataOf(event: Json | undefined): Json {
  return Object(event?.["data"]);
}
