import { InputError, type InputProblem, isEvidenceError } from "../../api/errors.ts";
import { nearest } from "../../api/nearest.ts";
import { isObject } from "../../api/untyped.ts";
import { readTextFile } from "../../evidence/file-to-send.ts";
import { parseStructured } from "../../evidence/structured-data.ts";
import type { ActionContext } from "../../github/action.ts";
import { describeCommit } from "../../github/commit.ts";
import type { Input } from "../../github/input.ts";
import { inputKey, readInputs } from "../../github/inputs.ts";
import type { AttestResult } from "../attest.ts";
import type { DescribeCommit } from "../origin.ts";
import { subjectInputs } from "../subject.ts";
import { type Attested, attestOne } from "./attest-one.ts";
import { type ClaimValues, claimInputs, claimProblems, OF_ONE_ATTESTATION } from "./inputs.ts";
import { manifestOutcome } from "./manifest-outcome.ts";

const INPUT = "manifest";
/** Enough for any build; more is a mistake. */
const MAX_ENTRIES = 200;
/** Attestations under way at a time: each may hold files of 200 MB open. */
const AT_A_TIME = 8;

/** What came of one entry. */
export type EntryResult = { readonly values: ClaimValues } & (
  | { readonly done: Attested }
  | { readonly error: string }
);

/**
 * Records all that a manifest lists: artifacts first, because attestations may be about them, then everything else at
 * once. Each has its outcome.
 *
 * @throws {InputError} before anything is sent, with everything that is wrong with any entry
 */
export async function attestManifest(
  path: string,
  defaults: ClaimValues,
  context: ActionContext,
): Promise<AttestResult> {
  const entries = await readManifest(path, defaults, context);
  const describe = shared(describeCommit);
  const attempt = async (values: ClaimValues): Promise<EntryResult> => {
    try {
      return { values, done: await attestOne(values, context, describe) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isEvidenceError(error)) throw error;
      return { values, error: [error.message, ...error.details, error.advice].filter(Boolean).join("\n") };
    }
  };
  const results = new Map<ClaimValues, EntryResult>();
  const isArtifact = ({ kind }: ClaimValues) => kind === "artifact";
  for (const wave of [entries.filter(isArtifact), entries.filter((entry) => !isArtifact(entry))]) {
    await eachOf(wave, async (values) => results.set(values, await attempt(values)));
  }
  return manifestOutcome(
    entries.flatMap((values) => results.get(values) ?? []),
    context,
  );
}

/** Does work for each item, a few at a time, in order. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

/** Asks once for each commit, however many attestations speak of it. */
function shared(describe: DescribeCommit): DescribeCommit {
  const known = new Map<string, ReturnType<DescribeCommit>>();
  return (question) => {
    const key = JSON.stringify([question.sha, question.token, [...question.redact].sort()]);
    const found = known.get(key) ?? describe(question);
    known.set(key, found);
    return found;
  };
}

async function readManifest(
  path: string,
  defaults: ClaimValues,
  { runner }: ActionContext,
): Promise<ClaimValues[]> {
  const given = { input: INPUT, workspace: runner.workspace ?? process.cwd() };
  const data = await parseStructured(await readTextFile(path, given), { ...given, path });
  const list = isObject(data) && Object.keys(data).join() === "attestations" ? data["attestations"] : data;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ENTRIES) {
    const problem = `'${path}' must list 1 to ${MAX_ENTRIES} attestations, at the top or below 'attestations:'`;
    throw new InputError([{ input: INPUT, problem }]);
  }
  const problems: InputProblem[] = [];
  const entries = list.map((entry: unknown, index) => {
    const read = readEntry(entry, defaults);
    const name = isObject(entry) && typeof entry["name"] === "string" ? ` (${entry["name"]})` : "";
    const where = `${INPUT}, entry ${index + 1}${name}`;
    for (const { input, problem } of read.problems)
      problems.push({ input: where, problem: `${input} ${problem}` });
    return read.values;
  });
  if (problems.length > 0) throw new InputError(problems);
  return entries;
}

/** An entry with what the step says for all of them. */
function readEntry(entry: unknown, defaults: ClaimValues): { values: ClaimValues; problems: InputProblem[] } {
  if (!isObject(entry)) return { values: defaults, problems: [{ input: "it", problem: "is not a mapping" }] };
  const problems: InputProblem[] = [];
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry)) {
    const input: Input<unknown> | undefined = Object.entries(claimInputs).find(
      ([known]) => known === name,
    )?.[1];
    if (input && !input.secret) texts[name] = textOf(value, input.absent);
    else problems.push({ input: `'${name}'`, problem: `is not known here${suggestion(name)}` });
  }
  const own = readInputs(claimInputs, texts, {});
  const values = { ...own.values, ...inherited(own.given, defaults) };
  const subject = ["fingerprint", "artifact"] as const;
  const given = new Set([...own.given, ...subject.filter((name) => values[name] !== undefined)]);
  return { values, problems: [...problems, ...own.problems, ...claimProblems(values, given)] };
}

/** The subject is one thing in several inputs: an entry that names its own takes nothing of the step's. */
const SUBJECT = new Set(Object.keys(subjectInputs));

function inherited(given: ReadonlySet<string>, defaults: ClaimValues): Partial<ClaimValues> {
  const ownSubject = [...SUBJECT].some((name) => given.has(name));
  const keys = Object.keys(claimInputs)
    .filter((name) => !given.has(name) && !OF_ONE_ATTESTATION.includes(name))
    .filter((name) => !(ownSubject && SUBJECT.has(name)))
    .map(inputKey);
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => keys.includes(key)));
}

/** A value of YAML as the text of an input: a list as its lines, a mapping as its pairs where that is what is read. */
function textOf(value: unknown, absent: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && Array.isArray(absent)) return value.map(String).join("\n");
  if (isObject(value) && isObject(absent))
    return Object.entries(value)
      .map(([name, item]) => `${name}=${String(item)}`)
      .join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function suggestion(name: string): string {
  const [best] = nearest(name, Object.keys(claimInputs));
  return best === undefined ? "" : `; is '${best}' meant?`;
}
