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
/** Whose values are data of any shape. All others are texts, so that a version `1.10` stays what it is. */
const DATA: ReadonlySet<string> = new Set(["data", "user-data"]);

export interface ManifestFile {
  readonly path: string;
  readonly workspace: string;
  /** What the step says for all entries. */
  readonly defaults: AttestationValues;
}

/**
 * The attestations that a manifest lists, each with what it does not say itself taken from the step.
 *
 * @throws {InputError} with everything that is wrong with any of them
 */
export async function readManifest({
  path,
  workspace,
  defaults,
}: ManifestFile): Promise<AttestationInputs[]> {
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
  /** The values once nothing is wrong with them. */
  readonly complete?: AttestationInputs;
}

/**
 * @param entry with every value as the text it is
 * @param typed the same with numbers and the like
 */
async function readEntry(entry: unknown, typed: unknown, defaults: AttestationValues): Promise<Entry> {
  if (!isObject(entry) || !isObject(typed))
    return {
      values: { ...defaults, name: undefined },
      problems: [{ input: "it", problem: "is not a mapping" }],
    };
  const problems: InputProblem[] = [];
  const texts: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(entry)) {
    const misplaced = whyNotHere(name);
    if (misplaced !== undefined) problems.push({ input: `'${name}'`, problem: misplaced });
    // What is left empty counts as not given, as with the inputs of a step.
    if (misplaced !== undefined || typed[name] === null) continue;
    const text = DATA.has(name) ? dataText(typed[name]) : textOf(value);
    if (text === undefined) problems.push({ input: name, problem: "must be a text or a list of texts" });
    else if (text.length > 0) texts[name] = text;
  }
  const own = readInputs(attestInputs, texts, {});
  const named = new Set(Object.keys(texts));
  const values = { ...own.values, ...inherited(defaults, { names: TAKEN, own: named, together: SUBJECT }) };
  const subject = ["fingerprint", "artifact"] as const;
  const given = new Set([
    ...own.given,
    ...subject.filter((name) => values[name] !== undefined),
    ...askedBy(values),
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

/** Whoever may change a file of the repository must not choose who is sent a token of the step. */
const ADDRESSES: readonly string[] = ["jira-url", "sonar-url"];

function whyNotHere(name: string): string | undefined {
  if (SECRETS.includes(name)) return "has no place in a file: give it to the step";
  const isOfAll = [sharedInputs, stepInputs].some((inputs) => Object.hasOwn(inputs, name));
  if (isOfAll || ADDRESSES.includes(name)) return "is for all of them: give it to the step";
  if (Object.hasOwn(attestInputs, name)) return undefined;
  return unknownField(
    name,
    Object.keys(attestInputs).filter((known) => !SECRETS.includes(known)),
  );
}

/** The text of a value, the items of a list, or a mapping as `name=value` items; undefined for what is deeper. */
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

/** The subject is one thing in several inputs: an entry that names its own takes nothing of the step's. */
const SUBJECT = new Set(Object.keys(subjectInputs));
const TAKEN = Object.keys(attestInputs).filter((name) => !OF_ONE_ATTESTATION.includes(name));

/** What the step says of whom an entry asks for its evidence, unless the entry holds that itself. */
function askedBy({ kind, data, ...values }: AttestationValues): string[] {
  if (data !== undefined || (kind !== "jira" && kind !== "sonar")) return [];
  const asked = {
    jira: { "jira-url": values.jiraUrl, "jira-token": values.jiraToken },
    sonar: { "sonar-url": values.sonarUrl, "sonar-token": values.sonarToken },
  };
  return Object.entries(asked[kind]).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** Of two attestations of one name and subject only the later would count, and which that is would be chance. */
function twinProblems(entries: readonly Entry[], index: number): InputProblem[] {
  const own = identity(entries[index]);
  const twin = own === undefined ? -1 : entries.slice(0, index).findIndex((entry) => identity(entry) === own);
  return twin < 0
    ? []
    : [{ input: "name", problem: `is that of entry ${twin + 1}, which is of the same subject` }];
}

function identity(entry: Entry | undefined): string | undefined {
  if (entry?.values.name === undefined) return undefined;
  const { kind, flow, trail, name, fingerprint, artifact, targetArtifacts } = entry.values;
  const what = kind === "artifact" || kind === "override" ? kind : "";
  return JSON.stringify([what, flow, trail, name, fingerprint, artifact, targetArtifacts]);
}
