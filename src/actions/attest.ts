import type { InputProblem } from "../api/errors.ts";
import { type ActionContext, defineAction, type Outcome } from "../github/action.ts";
import {
  choice,
  flag,
  type Input,
  lines,
  list,
  pairs,
  required,
  text,
  Unreadable,
  type ValuesOf,
} from "../github/input.ts";
import { recordArtifact, recordGeneric } from "./attest-kinds.ts";
import { trailUrl } from "./links.ts";
import { describeOrigin, originInputs, trailOf } from "./origin.ts";
import { fingerprintOf, subjectInputs, subjectProblems } from "./subject.ts";
import { onUnavailable, unlessUnavailable } from "./unavailable.ts";

/** A verdict as people and workflows write it. Only success is compliant: what was skipped proves nothing. */
const verdict: Input<boolean | undefined> = {
  description:
    "Required for `generic`: `true` or `false`, or the result of a job or step (`success`, `failure`, `cancelled`, `skipped`); only `success` is compliant.",
  type: "`true`, `false` or a result",
  required: false,
  absent: undefined,
  parse(value) {
    if (/^(true|True|TRUE|success)$/.test(value)) return true;
    if (/^(false|False|FALSE|failure|cancelled|skipped)$/.test(value)) return false;
    throw new Unreadable(`must be true, false, success, failure, cancelled or skipped, not '${value}'`);
  },
};

const inputs = {
  flow: required({ description: "The flow.", fallback: "EVIDENCE_FLOW" }),
  trail: text({ description: "The trail in the flow; the commit unless given.", fallback: "EVIDENCE_TRAIL" }),
  name: required({
    description:
      "The attestation's name, or `artifact.attestation` for one of an artifact in the flow's template. For the kind `artifact`: the artifact's name in the template.",
  }),
  kind: choice({
    choices: ["generic", "artifact"],
    default: "generic",
    description: "What is attested: a fact (`generic`), or that an artifact was built (`artifact`).",
  }),
  compliant: verdict,
  ...subjectInputs,
  "target-artifacts": list({
    description: "Names of artifacts in the template it is for, when they are not part of `name`.",
  }),
  attachments: lines({
    description: "Files to keep with it: paths and globs, one a line. At most 20, each at most 10 MB.",
  }),
  "archive-attachments": flag({
    default: "false",
    description: "Pack the attachments, directories too, into one `evidence.tgz`.",
  }),
  "if-no-files-found": choice({
    choices: ["error", "warn", "ignore"],
    default: "error",
    description: "What to do when a path or glob of `attachments` finds nothing.",
  }),
  "allow-outside-workspace": flag({
    default: "false",
    description: "Allow attachments from outside the workspace.",
  }),
  annotations: pairs({ description: "Short facts, as `key=value` lines." }),
  ...originInputs,
  ...onUnavailable,
};

export type AttestValues = ValuesOf<typeof inputs>;

/** Inputs that only some kinds use. */
const USED_BY: Readonly<Record<string, readonly AttestValues["kind"][]>> = {
  compliant: ["generic"],
  "target-artifacts": ["generic"],
  attachments: ["generic"],
  "archive-attachments": ["generic"],
  "if-no-files-found": ["generic"],
  "allow-outside-workspace": ["generic"],
};

const outputs = {
  status:
    "`recorded`, `skipped` (the service was unavailable and `on-unavailable` accepts that) or `dry-run`.",
  compliant: "`true` or `false` as it was attested; empty for the kind `artifact`.",
  fingerprint: "The artifact's fingerprint, if the attestation is about one.",
  trail: "The trail it is on.",
  "trail-url": "The trail's page.",
  "request-id": "Names the request in the service's log.",
};

type Result = Outcome<keyof typeof outputs>;

export const attest = defineAction({
  name: "attest",
  title: "Attest delivery evidence",
  description: "Record an attestation, with files, commit and repository, on a trail or an artifact.",
  inputs,
  outputs,
  check,
  run,
});

function check(values: AttestValues, given: ReadonlySet<string>): InputProblem[] {
  const { kind } = values;
  const problems = subjectProblems(values, given, kind === "artifact");
  for (const [input, kinds] of Object.entries(USED_BY)) {
    if (given.has(input) && !kinds.includes(kind))
      problems.push({ input, problem: `is not used by kind: ${kind}` });
  }
  if (kind === "generic" && !given.has("compliant")) {
    problems.push({ input: "compliant", problem: "is required for kind: generic" });
  }
  const parts = values.name.split(".");
  if (values.name !== "" && (parts.includes("") || parts.length > (kind === "generic" ? 2 : 1))) {
    const form =
      kind === "generic" ? "attestation or artifact.attestation" : "the artifact's name in the template";
    problems.push({ input: "name", problem: `must be ${form}, not '${values.name}'` });
  }
  if (parts.length === 2 && given.has("target-artifacts")) {
    problems.push({ input: "target-artifacts", problem: "excludes an artifact in name: give one of them" });
  }
  return problems;
}

async function run(values: AttestValues, context: ActionContext): Promise<Result> {
  const [fingerprint, origin] = await Promise.all([fingerprintOf(values), describeOrigin(values, context)]);
  const trail = trailOf(values.trail, origin);
  const record = values.kind === "artifact" ? recordArtifact : recordGeneric;
  const done = await unlessUnavailable(values.onUnavailable, context, () =>
    record({ values, trail, fingerprint, origin }, context),
  );
  const status = done === undefined ? "skipped" : done.requestId === undefined ? "dry-run" : "recorded";
  const url = trailUrl(context.connection, values.flow, trail);
  const compliant = values.compliant === undefined ? "" : String(values.compliant);
  if (status === "recorded")
    context.info(`Recorded ${values.kind} attestation '${values.name}' on trail '${trail}'.`);
  return {
    outputs: {
      status,
      compliant,
      fingerprint: fingerprint ?? "",
      trail,
      "trail-url": url,
      "request-id": done?.requestId ?? "",
    },
    summary: {
      heading: `Attestation ${values.name}: ${status}`,
      mark: status !== "recorded" ? "neutral" : values.compliant === false ? "failed" : "passed",
      columns: ["", ""],
      rows: [
        ["Kind", values.kind],
        ["Flow", values.flow],
        ["Trail", trail],
        ["Compliant", compliant],
        ["Fingerprint", fingerprint ?? ""],
        ["Commit", origin.gitCommitInfo?.sha1 ?? ""],
        ["Attachments", done?.attachments.join(", ") ?? ""],
      ].filter(([, value]) => value !== ""),
      link: { text: "Open the trail", url },
    },
  };
}
