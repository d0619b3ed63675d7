/*
 * Verifies an audit package without a network and without the service. Read it from top to bottom: it shares no code
 * with the service. `package-archive.ts` unpacks, and `note-signatures.ts` reads keys and signatures. All need only
 * Node's own modules.
 *
 * - Each file has the size and the sha256 that `manifest.json` lists.
 * - Each record, such as `attestations/unit-<id>.json`, says what its event in `log/events` says: `verify-records.ts`.
 * - The sha256 of an event is an entry of the log. Its `.tlog-proof` leads from there to the root in `log/checkpoint`.
 * - A key that you trust has signed the checkpoint, and as many witnesses as the policy requires:
 *   `verify-checkpoint.ts`.
 * - Each statement is signed, and its event in the log has its sha256: see `statement-signatures.ts`.
 * - No other file is there.
 *
 * Formats: RFC 6962, section 2.1 (tree), and C2SP's signed-note, tlog-checkpoint, tlog-proof, tlog-cosignature and
 * tlog-policy.
 */
import { isDeepStrictEqual } from "node:util";
import { type Checkpoint, decoded, isSame, policyIn } from "./note-signatures.ts";
import { type Files, filesIn, utf8 } from "./package-archive.ts";
import { hex, type Json, json, type LoggedEvent, objects, type Say, sha256 } from "./package-values.ts";
import { checkStatements } from "./statement-signatures.ts";
import {
  checkCheckpoint,
  checkKept,
  checkWitnesses,
  type KeptCheckpoint,
  seenText,
} from "./verify-checkpoint.ts";
import { checkPopulation } from "./verify-population.ts";
import { checkRecords, checkSampledTrails } from "./verify-records.ts";

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
  return verdictOn("package", ({ lines, tampered, undecided }) => {
    const files = filesIn(tgz);
    const manifest = checkManifest(files, tampered, undecided);
    let events: readonly LoggedEvent[] = [];
    let latest: LoggedEvent | undefined;
    const explained = new Set(["manifest.json", "log/checkpoint", "log/policy.txt"]);
    if (!files.has("log/checkpoint"))
      undecided(
        "log/checkpoint: it is missing: the caller was limited to some flows or environments, or the log had no checkpoint yet",
      );
    else {
      const trusted = policyIn(policy ?? utf8(files.get("log/policy.txt") ?? new Uint8Array()));
      const checks = { policy, tampered, undecided };
      const log = checkCheckpoint(utf8(files.get("log/checkpoint") ?? new Uint8Array()), trusted, checks);
      const own = kept && checkKept({ kept, log, policy: trusted }, checks);
      if (!isDeepStrictEqual(manifest["log"], { origin: log.origin, size: log.size }))
        tampered("manifest.json: it names another checkpoint");
      events = checkEvents(files, { log, explained, tampered });
      const note = (text: string) => lines.push(`note       ${text}`);
      const checking = { events, manifest, explained, lines, tampered, undecided };
      if (manifest["population"] === undefined) checkRecords(files, checking);
      else {
        const population = checkPopulation(files, { ...checking, log });
        checkSampledTrails(files, { ...checking, ...population });
        latest = population.inRange.at(-1);
      }
      checkWitnesses({ log, kept: own, events: latest ? [...events, latest] : events }, trusted, {
        undecided,
        note,
      });
      lines.push(`Checkpoint ${log.origin}, ${log.size} entries${seenText(log)}`);
      if (own) lines.push(`Your checkpoint, ${own.size} entries${seenText(own)}: the same log`);
    }
    checkStatements(files, {
      keys,
      events,
      explained,
      hasLog: files.has("log/checkpoint"),
      lines,
      tampered,
      undecided,
    });
    if (!files.has("log/checkpoint")) return;
    for (const name of files.keys())
      if (!explained.has(name)) tampered(`${name}: nothing in the log explains this file`);
  });
}

interface Findings {
  readonly lines: string[];
  readonly tampered: Say;
  readonly undecided: Say;
}

/** @param what kind of the file that the check reads */
export function verdictOn(what: "package" | "receipt", check: (findings: Findings) => void): Verified {
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
    // Odd input must not end without a verdict.
    tampered(`the ${what} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const verdicts = [
    "Proven: each record is in the log as it was recorded",
    `Changed: this ${what} is not what the service recorded`,
    "Undecided: see the lines above",
  ] as const;
  return { status, lines: [...lines, verdicts[status]].map(visible) };
}

/** Names in a package must not move the cursor of a terminal, or look like lines of their own. */
function visible(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
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

export function checkManifest(files: Files, tampered: Say, undecided: Say): Json {
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

// Events: each is an entry of the log, whose proof leads to the root of the checkpoint.

function checkEvents(
  files: Files,
  { log, explained, tampered }: { log: Checkpoint; explained: Set<string>; tampered: Say },
): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (const [name, content] of files) {
    const [, index, kind] = /^log\/events\/(0|[1-9]\d*)\.(json|tlog-proof)$/.exec(name) ?? [];
    if (kind === "tlog-proof" && !files.has(`log/events/${index}.json`))
      tampered(`${name}: its event is missing`);
    if (index !== undefined) explained.add(name);
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
