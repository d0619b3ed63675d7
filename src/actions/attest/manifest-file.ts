import { InputError, type InputProblem } from "../../api/client/errors.ts";
import { isObject } from "../../api/untyped.ts";
import { readTextFile } from "../../evidence/file-to-send.ts";
import { parseStructured } from "../../evidence/structured-data.ts";
import { sharedInputs } from "../../github/step/action.ts";
import { readInputs } from "../../github/step/inputs.ts";
import { entriesOf, inEntries, inherited, unknownField } from "../listed-entries.ts";
import { subjectInputs } from "../subject.ts";
import {
  type AttestationInputs,
  type AttestationValues,
  attestInputs,
  checkAttestation,
  OF_ONE_ATTESTATION,
  stepInputs,
} from "./inputs.ts";

const INPUT = "manifest";
/** Fields with data of any shape. All others are text, so that the version `1.10` stays as written. */
const DATA: ReadonlySet<string> = new Set(["data", "user-data"]);

/**
 * The attestations of a manifest, completed by the step's inputs.
 *
 * @throws {InputError} with all problems of all entries
 */
export async function readManifest({
  path,
  workspace,
  defaults,
}: {
  path: string;
  workspace: string;
  defaults: AttestationValues;
}): Promise<AttestationInputs[]> {
  const text = await readTextFile(path, { input: INPUT, workspace });
  const file = { input: INPUT, path, what: "attestations" };
  const data = await parseStructured(text, file);
  const typed = entriesOf(data, file);
  const texts = entriesOf(await parseStructured(text, { ...file, textsOnly: true }), file);
  const entries = await Promise.all(texts.map((entry, index) => readEntry(entry, typed[index], defaults)));
  const found = entries.map(({ values: { name = "" }, problems: own }, index) => {
    return { index, name, problems: [...own, ...twinProblems(entries, index)] };
  });
  const problems = await inEntries(found, { ...file, text, data });
  if (problems.length > 0) throw new InputError(problems);
  return entries.flatMap(({ complete }) => complete ?? []);
}

interface Entry {
  readonly values: AttestationValues;
  readonly problems: readonly InputProblem[];
  readonly complete?: AttestationInputs;
}

/**
 * @param entry with every value as text
 * @param typed with numbers and booleans
 */
async function readEntry(entry: unknown, typed: unknown, defaults: AttestationValues): Promise<Entry> {
  if (!isObject(entry) || !isObject(typed))
    return {
      values: { ...defaults, name: undefined },
      problems: [{ input: "it", problem: "must be a mapping" }],
    };
  const problems: InputProblem[] = [];
  const texts: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(entry)) {
    const misplaced = whyNotHere(name);
    if (misplaced !== undefined) problems.push({ input: `'${name}'`, problem: misplaced });
    // An empty value counts as not given, as with a step's inputs.
    if (misplaced !== undefined || typed[name] === null) continue;
    const text = DATA.has(name) ? dataText(typed[name]) : textOf(value);
    if (text === undefined) problems.push({ input: name, problem: "must be text or a list of text values" });
    else if (text.length > 0) texts[name] = text;
  }
  const own = readInputs(attestInputs, texts, {});
  const named = new Set(Object.keys(texts));
  const values = { ...own.values, ...inherited(defaults, { names: TAKEN, own: named, together: [SUBJECT] }) };
  const subject = ["fingerprint", "artifact"] as const;
  const given = new Set([
    ...own.given,
    ...subject.filter((name) => values[name] !== undefined),
    ...remoteInputs(values),
  ]);
  const checked = await checkAttestation(values, given);
  problems.push(...own.problems);
  return "problems" in checked
    ? { values, problems: [...problems, ...checked.problems] }
    : { values, problems, complete: checked.values };
}

const SECRETS: readonly string[] = Object.entries({ ...sharedInputs, ...attestInputs }).flatMap(
  ([name, input]) => ("secret" in input ? name : []),
);

/** A file of the repository must not choose which server gets a token of the step. */
const ADDRESSES: readonly string[] = ["jira-url", "sonar-url", "code-host", "code-host-url"];

function whyNotHere(name: string): string | undefined {
  if (SECRETS.includes(name)) return "must not be in a file: set it on the step";
  const isOfAll = [sharedInputs, stepInputs].some((inputs) => Object.hasOwn(inputs, name));
  if (isOfAll || ADDRESSES.includes(name)) return "applies to all entries: set it on the step";
  if (Object.hasOwn(attestInputs, name)) return undefined;
  return unknownField(
    name,
    Object.keys(attestInputs).filter((known) => !SECRETS.includes(known)),
  );
}

/** A value as text, list items or `name=value` items; undefined for anything deeper. */
function textOf(value: unknown): string | readonly string[] | undefined {
  if (typeof value === "string") return value;
  const list = Array.isArray(value) ? value.map((item: unknown) => [item]) : undefined;
  const items = isObject(value) ? Object.entries(value) : list;
  if (!items?.flat().every((part) => typeof part === "string")) return undefined;
  return items.map((parts) => parts.join("="));
}

function dataText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

/** The subject is spread over several inputs: an entry that sets one of them inherits none. */
const SUBJECT = new Set([...Object.keys(subjectInputs), "environment"]);
const TAKEN = Object.keys(attestInputs).filter((name) => !OF_ONE_ATTESTATION.includes(name));

/** The inputs of the remote service that an entry inherits, unless it has the evidence itself. */
function remoteInputs({ kind, data, ...values }: AttestationValues): string[] {
  if (data !== undefined || (kind !== "jira" && kind !== "sonar")) return [];
  const inputs = {
    jira: { "jira-url": values.jiraUrl, "jira-token": values.jiraToken },
    sonar: { "sonar-url": values.sonarUrl, "sonar-token": values.sonarToken },
  };
  return Object.entries(inputs[kind]).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** Only the later of two attestations with one name and subject counts, and their order is random. */
function twinProblems(entries: readonly Entry[], index: number): InputProblem[] {
  const own = identity(entries[index]);
  const twin = own === undefined ? -1 : entries.slice(0, index).findIndex((entry) => identity(entry) === own);
  return twin < 0
    ? []
    : [{ input: "name", problem: `repeats the name of entry ${twin + 1}, which has the same subject` }];
}

function identity(entry: Entry | undefined): string | undefined {
  if (entry?.values.name === undefined) return undefined;
  const { kind, flow, trail, name, fingerprint, artifact, targetArtifacts } = entry.values;
  const what = kind === "artifact" || kind === "override" ? kind : "";
  return JSON.stringify([what, flow, trail, name, fingerprint, artifact, targetArtifacts]);
}
