import type { Files } from "./package-archive.ts";
import {
  hex,
  type Json,
  json,
  type LoggedEvent,
  MAX_STEP_BACK,
  nameIn,
  objects,
  provenLine,
  type Say,
  sha256,
} from "./package-values.ts";
import { differences } from "./record-differences.ts";

// Compares each record of a package with its event, and each attached file with the sha256 in the event.

const RECORD = /^(?:(?:trail|artifact)\.json|(?:attestations|artifacts)\/[^/]+\.json)$/;

export function checkRecords(
  files: Files,
  {
    events,
    manifest,
    lines,
    tampered,
  }: { events: readonly LoggedEvent[]; manifest: Json; lines: string[]; tampered: Say },
): void {
  const bySubject = new Map(events.map((each) => [String(each.event["subject_id"]), each]));
  const ofTrail = events.filter(({ event }) => /^trail\.(begun|updated)$/.test(String(event["type"])));
  const begun = ofTrail.find(({ event }) => event["type"] === "trail.begun");
  const shown = new Set<string>();
  const names = {
    flow: nameIn(events, Object(begun?.event["data"]).flow_id),
    trail: String(begun?.event["subject_name"]),
  };
  if (manifest["flow"] !== names.flow || manifest["trail"] !== names.trail)
    tampered("manifest.json: it names another flow or trail than the log");
  for (const [name, content] of files) {
    if (!RECORD.test(name)) continue;
    const record = json(name, content);
    if (name === "artifact.json" && record["fingerprint"] !== manifest["fingerprint"])
      tampered("manifest.json: it names another artifact than artifact.json");
    const id = String(record["attestation_id"] ?? record["id"]);
    const found = name === "trail.json" ? begun : bySubject.get(id);
    shown.add(id);
    if (found === undefined) {
      tampered(`${name}: no event of the log recorded it`);
      continue;
    }
    const { event, index } = found;
    const latest = name === "trail.json" ? (ofTrail.at(-1)?.event ?? event) : event;
    const wrong = differences(record, { event, latest, ...names }, files);
    if (wrong.length > 0) tampered(`${name}: it differs from its event in ${wrong.join(", ")}`);
    else lines.push(provenLine(name, index, event));
  }
  const attached = new Map([...files].map((file) => [ATTACHMENT.exec(file[0])?.[0], file]));
  for (const { event, index } of events) {
    const id = String(event["subject_id"]);
    const isRecord = /^(attestation\.|artifact\.)/.test(String(event["type"]));
    if (isRecord && !shown.has(id)) tampered(`log/events/${index}.json: the package lacks its record ${id}`);
    for (const problem of attachmentProblems(event, attached, manifest)) tampered(problem);
  }
  let latest = 0;
  for (const { event, index } of events) {
    const at = Number(event["at"]);
    if (at < latest - MAX_STEP_BACK)
      lines.push(`note       log/events/${index}.json: it claims to be earlier than the event before it`);
    latest = Math.max(latest, at);
  }
}

/** Trails of a sample: each in a folder with its id, as in a package of its own. */
export function checkSampledTrails(
  files: Files,
  {
    events,
    inRange,
    manifest,
    lines,
    tampered,
  }: Parameters<typeof checkRecords>[1] & { readonly inRange: readonly LoggedEvent[] },
): void {
  const known = new Set(events.map(({ index }) => index));
  const ids = new Set(
    [...files.keys()].flatMap((name) => (name.startsWith("sample/") ? (name.split("/")[1] ?? "") : [])),
  );
  for (const id of ids) {
    const folder = `sample/${id}/`;
    const inside = (name: string) => (name.startsWith(folder) ? name.slice(folder.length) : name);
    const isOther = (name: string) => name.startsWith("sample/") && !name.startsWith(folder);
    const ofTrail = events.filter(({ event }) => event["trail_id"] === id);
    for (const { event, index } of inRange)
      if (event["trail_id"] === id && !known.has(index)) tampered(`log/events/${index}.json: it is missing`);
    const begun = ofTrail.find(({ event }) => event["type"] === "trail.begun")?.event;
    if (begun === undefined || !files.has(`${folder}trail.json`))
      tampered(`${folder}: it is no trail of the log`);
    const omitted = (field: string) =>
      objects(manifest[field]).map((file) => ({ ...file, name: inside(String(file["name"])) }));
    const said: string[] = [];
    checkRecords(
      new Map([...files].flatMap(([name, content]) => (isOther(name) ? [] : [[inside(name), content]]))),
      {
        events: [...ofTrail, ...events.filter(({ event }) => event["trail_id"] === null)].sort(
          (a, b) => a.index - b.index,
        ),
        manifest: {
          flow: Object(json(`${folder}trail.json`, files.get(`${folder}trail.json`))["flow"]).name,
          trail: begun?.["subject_name"],
          ...{ changed: omitted("changed"), missing: omitted("missing") },
        },
        lines: said,
        tampered: (text) => tampered(`${folder}${text}`),
      },
    );
    lines.push(...said.map((line) => line.replace(/^(\S+ +)/, `$1${folder}`)));
  }
}

const ATTACHMENT = /^attachments\/[^/]+\/\d+-/;
/** Files by the start of their names. */
type Attached = ReadonlyMap<string | undefined, readonly [name: string, content: Uint8Array]>;

/** Attachments have names of their own in the package, so they are found by position. */
function attachmentProblems(event: Json, attached: Attached, manifest: Json): string[] {
  const omitted = [...objects(manifest["changed"]), ...objects(manifest["missing"])];
  return objects(Object(event["data"]).attachments).flatMap(({ name, sha256: digest }, position) => {
    const start = `attachments/${event["subject_id"]}/${position}-`;
    const [path, content] = attached.get(start) ?? [];
    if (content !== undefined)
      return hex(sha256(content)) === digest ? [] : [`${path}: it is not the attested file`];
    return omitted.some((file) => String(file["name"]).startsWith(start))
      ? []
      : [`${start}${name}: it is missing`];
  });
}
