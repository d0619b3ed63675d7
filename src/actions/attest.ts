import type { InputProblem } from "../api/client/errors.ts";
import { type ActionContext, type Checked, defineAction } from "../github/step/action.ts";
import type { FieldInputs } from "../github/step/field-inputs.ts";
import { text, type ValuesOf } from "../github/step/input.ts";
import { type Attested, attestOne } from "./attest/attest-one.ts";
import { checklistFor } from "./attest/checklist.ts";
import {
  type AttestationInputs,
  attestInputs,
  checkAttestation,
  OF_ONE_ATTESTATION,
  stepInputs,
  USED_BY,
} from "./attest/inputs.ts";
import { type AttestResult, outputs } from "./attest/outputs.ts";
import { requireFlows } from "./attest/required-flows.ts";
import { summaryOf } from "./attest/summary.ts";
import { expectationsOf, expectedText } from "./attest/template-check.ts";
import { receiptInput } from "./receipt-input.ts";
import { spoolOutputs } from "./spool-folder.ts";
import { subjectOf, subjectProblems } from "./subject.ts";

const inputs = {
  ...attestInputs,
  ...stepInputs,
  ...receiptInput,
  manifest: text({
    description:
      "YAML file that lists several attestations, with fields of the same names as here. Values given here apply to entries without them. Artifacts are sent first. A failed entry does not stop the others.",
  }),
};

type Values = ValuesOf<typeof inputs>;

const FIELDS: FieldInputs = {
  flow_name: "flow",
  trail_name: "trail",
  attestation_name: "name",
  template_reference_name: "name",
  env_name: "environment",
  artifact_fingerprint: "fingerprint",
  filename: "artifact",
  is_compliant: "compliant",
  git_commit_info: "commit",
  git_commit: "commit",
  commit_url: "commit",
  build_url: "origin-url",
  data_json: "user-data",
  jira_results: { within: "data" },
  sonar_results: { within: "data" },
  attestation_data: { within: "data" },
  reason: { within: "data" },
  original_attestation_type: { within: "data" },
  new_compliance_status: { within: "data" },
};

export const attest = defineAction({
  name: "attest",
  title: "Attest delivery evidence",
  description: "Records an attestation on a trail or an artifact, with files, commit and repository.",
  inputs,
  outputs,
  fields: FIELDS,
  usedBy: { choice: "kind", values: USED_BY },
  check,
  run,
});

interface Wanted {
  readonly step: Values;
  /** An artifact without a subject is each one that earlier steps of the job declared. */
  readonly attested: { readonly manifest: string } | { readonly inputs: AttestationInputs } | "listed";
}

async function check(step: Values, given: ReadonlySet<string>): Promise<Checked<Wanted>> {
  const checked = await checkAttested(step, given);
  const problems = [...receiptProblems(step), ...("problems" in checked ? checked.problems : [])];
  return problems.length > 0 ? { problems } : checked;
}

/** A receipt is about one record, which is made now. */
function receiptProblems({ receipt, manifest, kind, onUnavailable, ...values }: Values): InputProblem[] {
  if (!receipt) return [];
  const problem = (text: string) => [{ input: "receipt", problem: `cannot be used ${text}` }];
  if (manifest !== undefined) return problem("with `manifest`: attest the entry in a step of its own");
  if (kind === "artifact" && subjectOf(values) === undefined) return problem("without an artifact");
  return onUnavailable === "fail" ? [] : problem(`with \`on-unavailable: ${onUnavailable}\``);
}

async function checkAttested(step: Values, given: ReadonlySet<string>): Promise<Checked<Wanted>> {
  const { manifest } = step;
  if (manifest === undefined && step.kind === "artifact" && subjectOf(step) === undefined) {
    const checked = await (await import("./attest/listed-artifacts.ts")).checkListed(step, given);
    return "problems" in checked ? checked : { values: { step, attested: "listed" } };
  }
  if (manifest === undefined) {
    const checked = await checkAttestation(step, given);
    return "problems" in checked ? checked : { values: { step, attested: { inputs: checked.values } } };
  }
  const misplaced = OF_ONE_ATTESTATION.filter((input) => given.has(input)).map((input) => ({
    input,
    problem: "cannot be used with `manifest`: set it in the manifest's entries",
  }));
  const problems = [...misplaced, ...subjectProblems(step, given, false)];
  return problems.length > 0 ? { problems } : { values: { step, attested: { manifest } } };
}

async function run({ step, attested }: Wanted, context: ActionContext): Promise<AttestResult> {
  if (attested === "listed") {
    const { attestListed } = await import("./attest/listed-artifacts.ts");
    return attestListed(step, context);
  }
  if ("manifest" in attested) {
    const { attestManifest } = await import("./attest/manifest.ts");
    return attestManifest(attested.manifest, step, context);
  }
  const values = attested.inputs;
  await requireFlows([values], step, context);
  const done = await attestOne(values, context);
  const expectation = (await expectationsOf([{ values, done }], step, context)).get(done);
  const receipt =
    step.receipt && done.status === "recorded" ? await receiptFor(values, done, context) : undefined;
  const nonCompliance = step.failOnNonCompliant
    ? (await import("./attest/non-compliance.ts")).nonCompliance([done], context)
    : undefined;
  const failure = nonCompliance ?? receipt?.failure;
  if (done.remarks.length > 0) {
    const { annotate } = await import("./attest/annotations.ts");
    annotate(done.remarks, context, failure ? 1 : 0);
  }
  return {
    outputs: {
      status: done.status,
      compliant: done.compliant === undefined ? "" : String(done.compliant),
      expected: expectedText(expectation),
      fingerprint: done.fingerprint ?? "",
      trail: done.trail,
      "trail-url": done.trailUrl,
      "request-id": done.requestId ?? "",
      results: "",
      receipt: receipt?.path ?? "",
      ...spoolOutputs(done.status === "spooled", context.runner),
    },
    summary: summaryOf(done, expectation, receipt?.line),
    laterTables: checklistFor([done], context),
    ...(failure && { failure }),
  };
}

async function receiptFor({ kind }: AttestationInputs, done: Attested, context: ActionContext) {
  const { writeAttestationReceipt } = await import("./receipt.ts");
  return writeAttestationReceipt(done.headers, { ...done, isArtifact: kind === "artifact" }, context);
}
