/*
 * Verifies an audit package without a network and without the service. Read it from top to bottom: it shares no code
 * with the service. `package-archive.ts` unpacks, `note-signatures.ts` reads keys and signatures, `kept-checkpoint.ts`
 * compares the log with a checkpoint of yours; none has more than Node's own modules.
 *
 * - Each file has the size and the sha256 that `manifest.json` lists.
 * - Each record, such as `attestations/unit-<id>.json`, says what its event in `log/events` says.
 * - The sha256 of an event is an entry of the log. Its `.tlog-proof` leads from there to the root in `log/checkpoint`.
 * - A key that you trust has signed the checkpoint, and as many witnesses as the policy requires.
 * - Each statement is signed, and its event in the log has its sha256: see `statement-signatures.ts`.
 *
 * Formats: RFC 6962, section 2.1 (tree), and C2SP's signed-note, tlog-checkpoint, tlog-proof, tlog-cosignature and
 * tlog-policy.
 */
import { isDeepStrictEqual } from "node:util";
import { checkKept, type KeptCheckpoint } from "./kept-checkpoint.ts";
import { type Checkpoint, checkpointIn, decoded, isSame, type Policy, policyIn } from "./note-signatures.ts";
import { type Files, filesIn, Unreadable, utf8 } from "./package-archive.ts";
import {
  hex,
  iso,
  type Json,
  json,
  type LoggedEvent,
  nameIn,
  objects,
  provenLine,
  type Say,
  sha256,
} from "./package-values.ts";
import { differences } from "./record-differences.ts";
import { checkStatements } from "./statement-signatures.ts";
import { checkPopulation } from "./verify-population.ts";

/** Time by which an event may claim to be earlier than the event before it, in seconds. */
const MAX_STEP_BACK = 300;

export interface Verified {
  /** 0: all is proven. 1: something was changed. 2: something could not be decided. */
  readonly status: 0 | 1 | 2;
  readonly lines: readonly string[];
}

interface Own {
  /** Text of your own copy of evidence-keys.json. */
  readonly keys?: string | undefined;
  /** Your own checkpoint of the log. */
  readonly kept?: KeptCheckpoint | undefined;
}

/** @param policy text of your own policy file; without it, the keys in the package are not trusted */
export function verifyPackage(tgz: Uint8Array, policy?: string, { keys, kept }: Own = {}): Verified {
  return verdictOn("package", policy, ({ lines, tampered, undecided }) => {
    const files = filesIn(tgz);
    const manifest = checkManifest(files, tampered, undecided);
    let events: readonly LoggedEvent[] = [];
    if (!files.has("log/checkpoint")) undecided("log/checkpoint: this package has no evidence log");
    else {
      const trusted = policyIn(policy ?? utf8(files.get("log/policy.txt") ?? new Uint8Array()));
      const checks = { policy, tampered, undecided };
      const log = checkCheckpoint(utf8(files.get("log/checkpoint") ?? new Uint8Array()), trusted, checks);
      const own = kept && checkKept({ kept, log, policy: trusted }, checks);
      if (!isDeepStrictEqual(manifest["log"], { origin: log.origin, size: log.size }))
        tampered("manifest.json: it names another checkpoint");
      events = checkEvents(files, log, tampered);
      const note = (text: string) => lines.push(`note       ${text}`);
      checkWitnesses({ log, kept: own, events }, trusted, { undecided, note });
      if (manifest["population"] === undefined) checkRecords(files, { events, manifest, lines, tampered });
      else {
        const inRange = checkPopulation(files, { events, manifest, log, lines, tampered, undecided });
        checkSampledTrails(files, { events, inRange, manifest, lines, tampered });
      }
      lines.push(`Checkpoint ${log.origin}, ${log.size} entries${seenText(log)}`);
      if (own) lines.push(`Your checkpoint, ${own.size} entries${seenText(own)}: the same log`);
    }
    checkStatements(files, { keys, events, lines, tampered, undecided });
  });
}

interface Findings {
  readonly lines: string[];
  readonly tampered: Say;
  readonly undecided: Say;
}

/** @param what kind of the file that the check reads */
export function verdictOn(
  what: "package" | "receipt",
  policy: string | undefined,
  check: (findings: Findings) => void,
): Verified {
  const lines: string[] = [];
  let status: 0 | 1 | 2 = 0;
  const tampered = (text: string) => {
    lines.push(`CHANGED    ${text}`);
    status = 1;
  };
  const undecided = (text: string) => {
    lines.push(`UNDECIDED  ${text}`);
    if (status === 0) status = 2;
  };
  try {
    check({ lines, tampered, undecided });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    tampered(`the ${what} cannot be read: ${error.message}`);
  }
  const hint =
    policy === undefined ? "give the keys that you trust with --policy FILE" : "see the lines above";
  const verdicts = [
    "Proven: each record is in the log as it was recorded",
    `Changed: this ${what} is not what the service recorded`,
    `Undecided: ${hint}`,
  ] as const;
  return { status, lines: [...lines, verdicts[status]] };
}

// Manifest: every file with its size and sha256.

const MANIFEST_FIELDS = [
  "version",
  "org",
  "flow",
  "trail",
  "fingerprint",
  "population",
  "log",
  "files",
  "changed",
  "missing",
];

function checkManifest(files: Files, tampered: Say, undecided: Say): Json {
  const manifest = json("manifest.json", files.get("manifest.json"));
  const listed = new Set(["manifest.json"]);
  const unknown = Object.keys(manifest).filter((field) => !MANIFEST_FIELDS.includes(field));
  if (unknown.length > 0 || manifest["version"] !== 1) tampered("manifest.json: it has an unknown form");
  for (const { name, size, sha256: digest } of objects(manifest["files"])) {
    const content = files.get(String(name));
    listed.add(String(name));
    if (content === undefined) tampered(`${name}: it is missing`);
    else if (content.length !== size || hex(sha256(content)) !== digest)
      tampered(`${name}: it differs from the manifest`);
  }
  for (const name of files.keys()) if (!listed.has(name)) tampered(`${name}: the manifest does not list it`);
  for (const { name } of [...objects(manifest["changed"]), ...objects(manifest["missing"])])
    undecided(`${name}: the service no longer had this file`);
  return manifest;
}

// Checkpoint: a note that keys have signed.

interface Checks {
  /** The policy of the reader; undefined for the one in the package. */
  readonly policy: string | undefined;
  readonly tampered: Say;
  readonly undecided: Say;
}

export function checkCheckpoint(
  note: string,
  trusted: Policy,
  { policy, tampered, undecided }: Checks,
): Checkpoint {
  const log = checkpointIn(note, trusted, "log/checkpoint");
  if (!log.isOfLog) undecided(`log/checkpoint: no key of the policy signed the log ${log.origin}`);
  else if (policy === undefined) undecided("log/checkpoint: signed by a key that only the package names");
  for (const name of log.wrong) tampered(`log/checkpoint: the signature of ${name} is wrong`);
  return log;
}

/** @param kept the reader's own checkpoint of the log, after the check that it is of one log with the package's */
export function checkWitnesses(
  { log, kept, events }: { log: Checkpoint; kept: Checkpoint | undefined; events: readonly LoggedEvent[] },
  { quorum }: Policy,
  { undecided, note }: { undecided: Say; note: Say },
): void {
  if (!log.hasQuorum && !kept?.hasQuorum) {
    undecided(`log/checkpoint: too few witnesses for the quorum ${quorum}`);
    return;
  }
  const seen = kept === undefined || kept.seen.size === 0 ? 0 : Math.min(...kept.seen.values());
  for (const { index, event } of events.filter((each) => kept !== undefined && each.index >= kept.size)) {
    const late = `log/events/${index}.json: your checkpoint of ${kept?.size} entries does not have it`;
    if (!log.hasQuorum) undecided(`${late} yet`);
    if (Number(event["at"]) < seen - MAX_STEP_BACK) note(`${late}, though it claims to be earlier`);
  }
}

export function seenText(checkpoint: Checkpoint): string {
  return [...checkpoint.seen].map(([name, time]) => `, seen by ${name} at ${iso(time)}`).join("");
}

// Events: each is an entry of the log, whose proof leads to the root of the checkpoint.

function checkEvents(files: Files, log: Checkpoint, tampered: Say): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (const [name, content] of files) {
    const [, index, kind] = /^log\/events\/(\d+)\.(json|tlog-proof)$/.exec(name) ?? [];
    if (kind === "tlog-proof" && !files.has(`log/events/${index}.json`))
      tampered(`${name}: its event is missing`);
    if (index === undefined || kind !== "json") continue;
    const proof = utf8(files.get(`log/events/${index}.tlog-proof`) ?? new Uint8Array());
    if (isProven(sha256(content), Number(index), proof, log))
      events.push({ index: Number(index), event: json(name, content) });
    else tampered(`${name}: its proof does not lead to the checkpoint`);
  }
  return events.sort((a, b) => a.index - b.index);
}

export function isProven(entry: Uint8Array, index: number, proof: string, log: Checkpoint): boolean {
  const start = `c2sp.org/tlog-proof@v1\nindex ${index}\n`;
  const end = proof.indexOf("\n\n");
  if (!proof.startsWith(start) || proof.slice(end + 2) !== log.note || index >= log.size) return false;
  const hashes = proof
    .slice(start.length, end + 1)
    .split("\n")
    .filter(Boolean)
    .map(decoded);
  // From the leaf to the root: the sibling is left of a node with an odd position, or of the last node of its level.
  let node = sha256(Buffer.concat([Buffer.of(0), entry]));
  let [position, last] = [index, log.size - 1];
  for (const sibling of hashes) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      node = sha256(Buffer.concat([Buffer.of(1), sibling, node]));
      while (position % 2 === 0 && position > 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else node = sha256(Buffer.concat([Buffer.of(1), node, sibling]));
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && isSame(node, log.root);
}

// Records: each says what its event says.

const RECORD = /^(?:(?:trail|artifact)\.json|(?:attestations|artifacts)\/[^/]+\.json)$/;

function checkRecords(
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
  for (const { event, index } of events) {
    const id = String(event["subject_id"]);
    const isRecord = /^(attestation\.|artifact\.)/.test(String(event["type"]));
    if (isRecord && !shown.has(id)) tampered(`log/events/${index}.json: the package lacks its record ${id}`);
    for (const problem of attachmentProblems(event, files, manifest)) tampered(problem);
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
function checkSampledTrails(
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

/** Attachments have names of their own in the package, so they are found by position. */
function attachmentProblems(event: Json, files: Files, manifest: Json): string[] {
  const omitted = [...objects(manifest["changed"]), ...objects(manifest["missing"])];
  return objects(Object(event["data"]).attachments).flatMap(({ name, sha256: digest }, position) => {
    const start = `attachments/${event["subject_id"]}/${position}-`;
    const [path, content] = [...files].find(([each]) => each.startsWith(start)) ?? [];
    if (content !== undefined)
      return hex(sha256(content)) === digest ? [] : [`${path}: it is not the attested file`];
    return omitted.some((file) => String(file["name"]).startsWith(start))
      ? []
      : [`${start}${name}: it is missing`];
  });
}
