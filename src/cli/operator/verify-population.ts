/*
 * Verifies that the list of a population is complete, without a network and without the service.
 *
 * - `log/range-events.jsonl` has all events of the log from the one before the period to the one after it. The sha256
 *   of each line is an entry of the log. With the hashes in `log/range.json`, they give the root of the checkpoint.
 * - The members are computed from these events. `list.csv` must list exactly these.
 * - The sample is computed from the seed. `sample.json` must have exactly these, with their trails.
 */
import { isDeepStrictEqual } from "node:util";
import { isSame } from "./note-signatures.ts";
import { type Files, Unreadable, utf8 } from "./package-archive.ts";
import {
  finite,
  hex,
  iso,
  type Json,
  json,
  type LoggedEvent,
  nameIn,
  objects,
  type Say,
  sha256,
} from "./package-values.ts";

interface Checked {
  readonly events: readonly LoggedEvent[];
  /** Names of files that are explained. */
  readonly explained: Set<string>;
  readonly undecided: Say;
  readonly manifest: Json;
  readonly log: { readonly size: number; readonly root: Uint8Array };
  readonly lines: string[];
  readonly tampered: Say;
}

interface Member {
  readonly id: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly at: number;
  readonly by: string;
  readonly index: number;
  readonly trail: unknown;
}

interface Proven {
  /** All events of the range. */
  readonly inRange: readonly LoggedEvent[];
  /** Ids of the trails in the sample. */
  readonly ids: ReadonlySet<string>;
}

const SUBJECT = ["kind", "id", "name", "from", "to", "count", "made_at", "made_by"];
const FILES = ["index.html", "list.csv", "sample.json", "log/range.json", "log/range-events.jsonl"];

export function checkPopulation(
  files: Files,
  { events: others, explained, manifest, log, lines, undecided, ...findings }: Checked,
): Proven {
  const population: Json = Object(manifest["population"]);
  for (const name of FILES) explained.add(name);
  const range = json("log/range.json", files.get("log/range.json"));
  const { first: start, end: limit, size, hashes, ...unknown } = range;
  const [first, end] = [finite(start, "first in log/range.json"), finite(limit, "end in log/range.json")];
  if (Object.keys(unknown).length > 0) throw new Unreadable("log/range.json has an unknown form");
  const texts = linesIn(files.get("log/range-events.jsonl") ?? new Uint8Array());
  if (texts.length === 0 || first + texts.length !== end || size !== log.size)
    throw new Unreadable("log/range.json has another number of events than log/range-events.jsonl");
  const root = rootOf({ first, end, size: log.size, hashes }, texts.map(sha256));
  if (root === undefined || !isSame(root, log.root))
    throw new Unreadable("the events of log/range-events.jsonl do not lead to the checkpoint");
  if (!["flow", "environment", "control"].includes(String(population["kind"])))
    throw new Unreadable("manifest.json has an unknown kind of population");
  let isWhole = true;
  const tampered = (text: string) => {
    isWhole = false;
    findings.tampered(text);
  };
  const events = texts.map((text) => json("log/range-events.jsonl", text));
  const inRange = events.map((event, place) => ({ event, index: first + place }));
  checkName(population, [...others, ...inRange], { tampered, undecided });
  const [from, to] = [finite(population["from"], "from"), finite(population["to"], "to")];
  const isKnown = Object.keys(population).every((field) => SUBJECT.includes(field));
  const isOther = ["flow", "trail", "fingerprint"].some((field) => manifest[field] !== undefined);
  if (!isKnown || isOther) throw new Unreadable("manifest.json: it has an unknown form");
  if (first > 0 && !(Number(events[0]?.["at"]) < from))
    tampered("log/range-events.jsonl: it begins within the period");
  if (end < log.size && !(Number(events.at(-1)?.["at"]) >= to))
    tampered("log/range-events.jsonl: it ends within the period");
  const members = events.flatMap((event, place) => membersIn(population, event, first + place));
  if (population["count"] !== members.length)
    tampered(`manifest.json: it counts ${population["count"]} members, but the log has ${members.length}`);
  compareLists(listOf(members), utf8(files.get("list.csv") ?? new Uint8Array()), tampered);
  const ids = checkSample(files, members, { events: others, inRange, tampered, undecided });
  const result = { inRange, ids };
  if (!isWhole) return result;
  lines.push(
    `complete   list.csv  ${members.length} of ${population["kind"]} ${population["name"]} (${population["id"]})`,
  );
  lines.push(`           from ${iso(from)} to before ${iso(to)}, log entries ${first} to ${end - 1}`);
  const sample = files.get("sample.json");
  if (sample !== undefined) {
    const { seed, members: chosen } = json("sample.json", sample);
    lines.push(`           sample of ${objects(chosen).length} with the seed ${JSON.stringify(seed)}`);
  }
  return result;
}

/** The log says to which flow or environment the name belongs. A control has no ID but its name. */
function checkName(
  { kind, id, name }: Json,
  events: readonly LoggedEvent[],
  { tampered, undecided }: Pick<Checked, "tampered" | "undecided">,
): void {
  const ordered = events.toSorted((a, b) => a.index - b.index);
  const known = kind === "control" ? String(id) : nameIn(ordered, id);
  if (known === undefined) undecided(`manifest.json: nothing in the log names the ${kind} ${id}`);
  else if (known !== name)
    tampered(`manifest.json: the log calls the ${kind} ${id} '${known}', not '${name}'`);
}

function linesIn(content: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(10, at);
    lines.push(content.subarray(at, end < 0 ? content.length : end));
    at = end < 0 ? content.length : end + 1;
  }
  return lines;
}

interface Range {
  readonly first: number;
  readonly end: number;
  readonly size: number;
  readonly hashes: unknown;
}

/** The root of a tree from consecutive entries and the hashes beside them, from left to right (RFC 6962). */
function rootOf({ first, end, size, hashes }: Range, entries: readonly Uint8Array[]): Uint8Array | undefined {
  const beside = (Array.isArray(hashes) ? hashes : []).map((each) => Buffer.from(String(each), "base64"));
  let used = 0;
  const node = (from: number, to: number): Uint8Array => {
    if (to <= first || from >= end) return beside[used++] ?? new Uint8Array();
    if (to - from === 1) return sha256(Buffer.concat([Buffer.of(0), entries[from - first] ?? Buffer.of()]));
    let half = 1;
    while (half * 2 < to - from) half *= 2;
    return sha256(Buffer.concat([Buffer.of(1), node(from, from + half), node(from + half, to)]));
  };
  if (beside.some(({ length }) => length !== 32)) return undefined;
  if (!(Number.isSafeInteger(first) && first >= 0 && first < end && end <= size)) return undefined;
  const root = node(0, size);
  return used === beside.length ? root : undefined;
}

// Members: each event says by itself which it adds.

function membersIn({ kind, id, from, to }: Json, event: Json, index: number): Member[] {
  const [at, type, data] = [Number(event["at"]), String(event["type"]), Object(event["data"])];
  if (!(at >= Number(from) && at < Number(to))) return [];
  const [subject, name, by] = [event["subject_id"], event["subject_name"], event["by"]].map(String);
  const base = { ...{ id: subject ?? "", name: name ?? "", by: by ?? "" }, fingerprint: "", at, index };
  const member = { ...base, trail: event["trail_id"] };
  if (kind === "flow" && type === "trail.begun" && data.flow_id === id) return [member];
  if (kind === "control" && /^attestation\.(recorded|overridden)$/.test(type) && data.control === id)
    return [{ ...member, fingerprint: String(data.artifact?.fingerprint ?? "") }];
  if (kind === "environment" && type === "snapshot.taken" && data.environment_id === id)
    return objects(data.started).map((artifact, place) => ({
      ...{ ...member, id: `${subject}.${place}`, trail: null },
      ...{ name: String(artifact["name"]), fingerprint: String(artifact["fingerprint"]) },
    }));
  return [];
}

function listOf(members: readonly Member[]): string {
  const rows = members.map(({ id, name, fingerprint, at, by, index }, place) =>
    [String(place + 1), id, name, fingerprint, iso(at), by, String(index)].map(csvField).join(),
  );
  return ["number,id,name,fingerprint,at,by,log_index", ...rows].map((row) => `${row}\r\n`).join("");
}

/** An apostrophe precedes a text that a spreadsheet would run as a formula. */
function csvField(value: string): string {
  const text = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function compareLists(expected: string, listed: string, tampered: Say): void {
  if (expected === listed) return;
  const [ours, theirs] = [expected.split("\r\n"), listed.split("\r\n")];
  const place = ours.findIndex((row, at) => row !== theirs[at]);
  tampered(`list.csv: line ${(place < 0 ? ours.length : place) + 1} differs from the log`);
}

// Sample: the members with the lowest sha256 of the seed, a zero byte and the id.

const METHOD = "the first n members by the sha256 of the seed, a zero byte and the id, in hexadecimal";

interface Sampling {
  readonly events: readonly LoggedEvent[];
  readonly inRange: readonly LoggedEvent[];
  readonly tampered: Say;
  readonly undecided: Say;
}

/** @returns the ids of the trails whose records must be there */
function checkSample(
  files: Files,
  members: readonly Member[],
  { events, inRange, tampered, undecided }: Sampling,
): ReadonlySet<string> {
  const ids = new Set<string>();
  const file = files.get("sample.json");
  if (file === undefined) return ids;
  const { n, seed, method, members: listed, ...others } = json("sample.json", file);
  if (!Number.isSafeInteger(n) || Number(n) < 1 || typeof seed !== "string" || method !== METHOD)
    throw new Unreadable("sample.json has an unknown form");
  const rankOf = ({ id }: Member) => hex(sha256(Buffer.from(`${seed}\0${id}`)));
  const ranked = members.map((member) => ({ member, rank: rankOf(member) }));
  const chosen = ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, Number(n));
  const trailsOf = chosen.map((_, place) => {
    const { trails } = objects(listed)[place] ?? {};
    return Array.isArray(trails) ? trails.map(String) : [];
  });
  const expected = chosen.map(({ member }, place) => ({ id: member.id, trails: trailsOf[place] }));
  if (!isDeepStrictEqual(listed, expected) || Object.keys(others).length > 0)
    tampered("sample.json: the seed chooses other members");
  for (const [place, { member }] of chosen.entries()) {
    const trails = trailsOf[place] ?? [];
    for (const trail of trails) ids.add(trail);
    const isRight =
      member.trail === null
        ? areOfArtifact(trails, member, events)
        : isDeepStrictEqual(trails, [member.trail]);
    if (!isRight) tampered(`sample.json: it names other trails for ${member.id}`);
    if (member.trail === null && !hasLatest(trails, member, { events, inRange }))
      undecided(`sample.json: it lacks a trail that reported ${member.fingerprint} in the period`);
  }
  return ids;
}

function reportsOf({ fingerprint }: Member, events: readonly LoggedEvent[]) {
  return events.flatMap(({ event, index }) => {
    const data = Object(event["data"]);
    const isReport = event["type"] === "artifact.reported" && data.fingerprint === fingerprint;
    return isReport ? [{ flow: String(data.flow_id), trail: event["trail_id"], index }] : [];
  });
}

function areOfArtifact(trails: readonly string[], member: Member, events: readonly LoggedEvent[]): boolean {
  const reporting = new Set(reportsOf(member, events).map(({ trail }) => trail));
  return trails.every((trail) => reporting.has(trail));
}

/** Whether the latest report of each flow in the period, or a later one, is in one of the trails. */
function hasLatest(
  trails: readonly string[],
  member: Member,
  { events, inRange }: { events: readonly LoggedEvent[]; inRange: readonly LoggedEvent[] },
): boolean {
  const latest = new Map(reportsOf(member, inRange).map((report) => [report.flow, report]));
  const shown = reportsOf(member, events).filter(({ trail }) => trails.includes(String(trail)));
  return [...latest.values()].every(
    ({ flow, trail, index }) =>
      trail === null || shown.some((report) => report.flow === flow && report.index >= index),
  );
}
