import * as z from "zod/mini";
import type { InputProblem } from "../../api/client/errors.ts";
import { artifactName, attestationName } from "../../api/names.ts";
import type { Checked } from "../../github/step/action.ts";
import { choice, flag, lines, list, pairs, text, type ValuesOf, whole } from "../../github/step/input.ts";
import { requiredText } from "../../github/step/inputs.ts";
import { originInputs } from "../origin.ts";
import { PROVENANCE_INPUTS, provenanceInputs } from "../provenance/inputs.ts";
import { type Subject, subjectInputs, subjectOf, subjectProblems } from "../subject.ts";
import { onUnavailableOrSpool } from "../unavailable.ts";
import { CODE_HOST_INPUTS, codeHostInputs } from "./code-host-inputs.ts";
import { factsProblems, KINDS_WITH_FACTS, recordInputs } from "./facts.ts";
import {
  jiraEssentials,
  REMOTE,
  type RemoteEssentials,
  remoteInputs,
  sonarEssentials,
} from "./remote-inputs.ts";
import { verdict } from "./verdict.ts";

const KINDS = [
  "generic",
  "artifact",
  "test",
  "scan",
  "sbom",
  "provenance",
  "junit",
  "snyk",
  "pull_request",
  "jira",
  "sonar",
  "custom",
  "decision",
  "override",
] as const;
type Kind = (typeof KINDS)[number];

export const attestInputs = {
  flow: text({ description: "Name of the flow. Required.", fallback: "EVIDENCE_FLOW" }),
  trail: text({ description: "Name of the trail. Default: the commit.", fallback: "EVIDENCE_TRAIL" }),
  name: text({
    description:
      "Name of the attestation, or `artifact.attestation` for an artifact in the template. For `kind: artifact`, name of the artifact in the template. Required without `manifest`, except for the artifacts of `$GITHUB_ARTIFACTS_LIST`.",
  }),
  kind: choice({
    choices: KINDS,
    default: "generic",
    description:
      "Kind of evidence: `artifact`, `test`, `scan`, `sbom`, `provenance` (GitHub's build attestation), `pull_request`, `jira`, `sonar`, `custom` (your own type), `decision` (about a control), `generic` (any other fact) or `override` (a new result for an attestation). `junit` is the same as `test`. `snyk` is a scan that is non-compliant with any finding.",
  }),
  ...recordInputs,
  compliant: verdict,
  ...subjectInputs,
  "target-artifacts": list({
    description: "Names of the artifacts in the template, if `name` does not include the artifact.",
  }),
  "test-results": lines({
    description:
      "Paths and globs of test reports, one per line: JUnit XML, TRX, NUnit, xUnit.net, TAP, CTRF or `go test -json`. The tests determine the result.",
  }),
  "scan-results": lines({
    description:
      "Paths and globs of scan reports, one per line: SARIF, or the JSON of Trivy, Grype, Snyk or Checkov. The findings determine the result.",
  }),
  "fail-level": choice({
    choices: ["critical", "high", "medium", "low", "none"] as const,
    default: "high",
    description:
      "Lowest severity that makes `scan` and `generic` non-compliant. With `none`, findings do not count. `snyk` counts every finding.",
  }),
  "attach-results": flag({
    default: "true",
    description:
      "Whether to attach the files of `test-results` and `scan-results`. More than ten files become one `evidence.tgz`.",
  }),
  data: text({
    description:
      "Fields of the kind, named as in the interface: JSON, or the path of a JSON file. Required for `override`, and for `custom`, where it is the data itself. For `decision`, it explains the result. For other kinds, it replaces what would be read.",
  }),
  "type-name": text({ description: "Name of the custom type. Required for `custom`." }),
  ...remoteInputs,
  ...provenanceInputs,
  environment: text({
    description:
      "Environment of the service, for `provenance` instead of an artifact: every artifact that its latest snapshot runs needs a valid attestation of `source-repository`.",
  }),
  "github-storage-record": flag({
    default: "false",
    description:
      "Whether to report to GitHub where an image is stored, as a storage record of the organization's linked artifacts. For `kind: artifact`; needs the permission `artifact-metadata: write`. If GitHub refuses the record, this is a warning.",
  }),
  "require-approvals": whole({
    min: 0,
    max: 100,
    default: "0",
    description:
      "Number of approvals that each pull request needs, from people who neither opened it nor wrote its commits. Pull requests with fewer do not count. If none counts, the attestation is non-compliant.",
  }),
  ...codeHostInputs,
  attachments: lines({
    description:
      "Paths and globs of files to attach, one per line: at most 20 files of 10 MB each. An SBOM (CycloneDX, SPDX) is summarized in `user-data`.",
  }),
  "archive-attachments": flag({
    default: "false",
    description: "Whether to pack the attachments, including directories, into one `evidence.tgz`.",
  }),
  "if-no-files-found": choice({
    choices: ["error", "warn", "ignore"] as const,
    default: "error",
    description: "Behavior if a path or glob of `attachments` matches nothing.",
  }),
  "allow-outside-workspace": flag({
    default: "false",
    description: "Whether to allow files outside the workspace.",
  }),
  annotations: pairs({ description: "Short facts, as `key=value` lines." }),
  ...originInputs,
  ...onUnavailableOrSpool,
};

export type AttestationValues = ValuesOf<typeof attestInputs>;

/** Inputs that every kind needs. */
type Common = Omit<AttestationValues, "kind"> & {
  readonly flow: string;
  /** As written by the user: `attestation` or `artifact.attestation`. */
  readonly name: string;
  readonly attestationName: string;
  /** Names of artifacts in the template. */
  readonly targets: string[];
  readonly subject?: Subject | undefined;
};

type ArtifactEssentials = { readonly kind: "artifact"; readonly subject: Subject };
type OtherEssentials =
  | { readonly kind: "generic" | "test" | "scan" | "sbom" | "provenance" | "junit" | "snyk" | "pull_request" }
  | RemoteEssentials<"jira">
  | RemoteEssentials<"sonar">
  | { readonly kind: "override"; readonly data: string }
  | { readonly kind: "decision"; readonly control: string; readonly compliant: boolean }
  | { readonly kind: "custom"; readonly data: string; readonly typeName: string };

export type AttestationInputs = ArtifactInputs | OtherInputs;
export type ArtifactInputs = Common & ArtifactEssentials;
export type OtherInputs = Common & OtherEssentials;

export const stepInputs = {
  "fail-on-non-compliant": flag({
    default: "false",
    description:
      "Whether to fail if the result is non-compliant, even if the service was unavailable. The record is kept.",
  }),
  "create-flow": flag({
    default: "true",
    description:
      "Whether the service may create a missing flow. If it does, this is a warning. With `false`, a missing flow is an error, and nothing is recorded. Spooled records are not checked.",
  }),
  "check-template": flag({
    default: "true",
    description:
      "Whether to warn about records that the trail's template does not list, and to set `expected`. If the service's response does not report the match, the trail is read.",
  }),
};

export type StepValues = ValuesOf<typeof stepInputs>;

/** Inputs of a single attestation. With `manifest`, the step refuses them: its entries set them. */
export const OF_ONE_ATTESTATION: readonly string[] = [
  "name",
  "kind",
  "compliant",
  "control",
  "target-artifacts",
  "test-results",
  "scan-results",
  "data",
  "type-name",
  "attestation-bundle",
  "environment",
  "attachments",
];

/** Kinds that may have attachments. */
const WITH_FILES = KINDS.filter((kind) => !["artifact", "sbom", "override"].includes(kind));

/** Inputs that only some kinds use. */
export const USED_BY: Readonly<Record<string, readonly string[]>> = {
  record: KINDS_WITH_FACTS,
  compliant: ["generic", "decision", "override"],
  control: ["decision"],
  "target-artifacts": [...WITH_FILES, "sbom", "override"],
  "test-results": ["generic", "test", "junit"],
  "scan-results": ["generic", "scan", "snyk"],
  "fail-level": ["generic", "scan"],
  "attach-results": ["generic", "test", "scan", "junit", "snyk"],
  data: ["test", "junit", "snyk", "pull_request", "jira", "sonar", "custom", "decision", "override"],
  "type-name": ["custom"],
  ...Object.fromEntries(
    ["require-approvals", ...CODE_HOST_INPUTS].map((input) => [input, ["pull_request"] as const]),
  ),
  ...REMOTE.usedBy,
  ...Object.fromEntries(PROVENANCE_INPUTS.map((input) => [input, ["provenance"] as const])),
  environment: ["provenance"],
  "github-storage-record": ["artifact"],
  attachments: [...WITH_FILES, "sbom"],
  "archive-attachments": WITH_FILES,
  "if-no-files-found": WITH_FILES,
  "allow-outside-workspace": [...WITH_FILES, "sbom"],
  "fail-on-non-compliant": [...WITH_FILES, "override"],
};

const NEEDS: Readonly<Partial<Record<Kind, readonly (readonly string[])[]>>> = {
  generic: [["compliant", "test-results", "scan-results"]],
  test: [["test-results", "data"]],
  scan: [["scan-results"]],
  sbom: [["attachments"]],
  junit: [["test-results", "data"]],
  snyk: [["scan-results", "data"]],
  ...REMOTE.needs,
  custom: [["type-name"], ["data"]],
  decision: [["control"], ["compliant"]],
  override: [["data"]],
};

const OF_USE_WITH: Readonly<Record<string, readonly string[]>> = {
  "fail-level": ["scan-results"],
  "attach-results": ["test-results", "scan-results"],
  ...REMOTE.ofUseWith,
};

const EXCLUDING: readonly (readonly [string, string])[] = [
  ["data", "test-results"],
  ["data", "scan-results"],
  ...["require-approvals", ...CODE_HOST_INPUTS].map((input) => ["data", input] as const),
  ["environment", "fingerprint"],
  ["environment", "artifact"],
  ["environment", "attestation-bundle"],
  ...REMOTE.excluding,
];

export async function checkAttestation(
  values: AttestationValues,
  given: ReadonlySet<string>,
): Promise<Checked<AttestationInputs>> {
  const problems = await attestationProblems(values, given);
  const complete = attestationInputs(values);
  return problems.length > 0 || complete === undefined ? { problems } : { values: complete };
}

/** The parsed inputs; undefined when something is missing. */
export function attestationInputs(values: AttestationValues): AttestationInputs | undefined {
  const { flow, name } = values;
  const essentials = essentialsOf(values);
  if (flow === undefined || name === undefined || essentials === undefined) return undefined;
  const [attestationName = "", target] = name.split(".").reverse();
  const targets = target === undefined ? values.targetArtifacts : [target];
  return { ...values, flow, name, attestationName, targets, subject: subjectOf(values), ...essentials };
}

function essentialsOf(values: AttestationValues): ArtifactEssentials | OtherEssentials | undefined {
  const { kind, data, typeName, control, compliant } = values;
  switch (kind) {
    case "artifact": {
      const subject = subjectOf(values);
      return subject && { kind, subject };
    }
    case "jira":
      return jiraEssentials(values);
    case "sonar":
      return sonarEssentials(values);
    case "decision":
      return control === undefined || compliant === undefined ? undefined : { kind, control, compliant };
    case "override":
      return data === undefined ? undefined : { kind, data };
    case "custom":
      return data === undefined || typeName === undefined ? undefined : { kind, data, typeName };
    default:
      return { kind };
  }
}

async function attestationProblems(
  values: AttestationValues,
  given: ReadonlySet<string>,
): Promise<InputProblem[]> {
  const { kind } = values;
  const isAboutOne = kind === "artifact" || (kind === "provenance" && !given.has("environment"));
  const problems = subjectProblems(values, given, isAboutOne);
  if (kind === "provenance")
    problems.push(...(await import("../provenance/problems.ts")).provenanceProblems(values, given));
  for (const [input, kinds] of Object.entries(USED_BY)) {
    if (given.has(input) && !kinds.includes(kind))
      problems.push({ input, problem: `is not used by kind: ${kind}` });
  }
  for (const [first = "", ...others] of NEEDS[kind] ?? []) {
    if (given.has(first) || others.some((other) => given.has(other))) continue;
    const instead = others.length === 0 ? "" : `, or set ${others.join(" or ")} instead`;
    problems.push({ input: first, problem: `is required for kind: ${kind}${instead}`, missing: true });
  }
  for (const [input, other] of EXCLUDING) {
    if (given.has(input) && given.has(other))
      problems.push({ input, problem: `cannot be used with ${other}: set one of them` });
  }
  for (const [input, others] of Object.entries(OF_USE_WITH)) {
    if (given.has(input) && USED_BY[input]?.includes(kind) && !others.some((other) => given.has(other)))
      problems.push({ input, problem: `is used only with ${others.join(" or ")}` });
  }
  problems.push(...factsProblems(values, given));
  if (kind === "artifact" && values.githubStorageRecord)
    problems.push(...(await import("../stored-image.ts")).imageProblems("github-storage-record", values));
  return [...problems, ...(await nameProblems(values, given))];
}

/** Checks a name against the interface's rules before anything is sent. */
async function partProblems(schema: typeof attestationName, part: string): Promise<InputProblem[]> {
  const { error } = z.safeParse(schema, part);
  if (!error) return [];
  const { requestProblems } = await import("../../api/client/request-problems.ts");
  return requestProblems(error.issues, part).map((problem) => ({ ...problem, input: "name" }));
}

async function nameProblems(
  { flow, name, kind }: AttestationValues,
  given: ReadonlySet<string>,
): Promise<InputProblem[]> {
  const problems: InputProblem[] = [];
  if (flow === undefined)
    problems.push({ input: "flow", problem: requiredText("EVIDENCE_FLOW"), missing: true });
  if (name === undefined) return [...problems, { input: "name", problem: "is required", missing: true }];
  const parts = name.split(".");
  if (parts.includes("") || parts.length > (kind === "artifact" ? 1 : 2)) {
    const form =
      kind === "artifact" ? "the artifact's name in the template" : "attestation or artifact.attestation";
    problems.push({ input: "name", problem: `must be ${form}, not '${name}'` });
  } else {
    const schema = kind === "artifact" ? artifactName : attestationName;
    for (const part of parts) problems.push(...(await partProblems(schema, part)));
  }
  if (parts.length === 2 && given.has("target-artifacts")) {
    problems.push({
      input: "target-artifacts",
      problem: "cannot be used if `name` has the form artifact.attestation",
    });
  }
  return problems;
}
