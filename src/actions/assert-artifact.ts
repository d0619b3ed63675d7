import { ApiError, type InputProblem, ProtocolError } from "../api/client/errors.ts";
import type { ErrorCode } from "../api/error-codes.ts";
import { type Failure, failuresOf, flowsOf, isUnexpected } from "../api/resources/assert-failures.ts";
import { type Assertion, assertArtifact as assertOperation } from "../api/resources/asserts.ts";
import {
  type ActionContext,
  type Checked,
  defineAction,
  githubToken,
  type Outcome,
} from "../github/step/action.ts";
import { choice, flag, list, text, type ValuesOf } from "../github/step/input.ts";
import type { Signed } from "./assert-artifact/signed-statement.ts";
import { webPage } from "./links.ts";
import { PROVENANCE_INPUTS, provenanceInputs } from "./provenance/inputs.ts";
import { RECEIPT_OUTPUT, receiptInput, receiptRow } from "./receipt-input.ts";
import { writeResultFile } from "./result-file.ts";
import { fingerprintOf, type Subject, subjectInputs, subjectOf, subjectProblems } from "./subject.ts";

const inputs = {
  ...subjectInputs,
  flow: text({
    description: "Flow to check the artifact in. Default: every flow that has it.",
    fallback: "EVIDENCE_FLOW",
  }),
  environment: text({
    description: "Environment whose policies the artifact must meet. Excludes `policies`.",
  }),
  policies: list({ description: "Policies that the artifact must meet. Excludes `environment`." }),
  "allow-unexpected": flag({
    default: "false",
    description: "Whether an artifact passes in a flow whose template lists artifacts, but not this one.",
  }),
  "fail-on-non-compliant": flag({
    default: "true",
    description: "Whether to fail if the artifact is non-compliant.",
  }),
  statement: choice({
    choices: ["vsa", "svr"] as const,
    description:
      "Statement of the result to sign: a verification summary of SLSA, or an SVR, which states only what passed.",
  }),
  "resource-uri": text({
    description:
      "Address of the artifact for its consumers, with `statement`. Default: from its latest report.",
  }),
  "push-to-registry": flag({
    default: "false",
    description:
      "Whether to attach the statement to the image in its registry, with the login of an earlier step. The image is that of `artifact` or `fingerprint`, or else `resource-uri`.",
  }),
  "github-attestation": choice({
    choices: ["off", "required"] as const,
    default: "off",
    description:
      "Whether GitHub's own attestation must prove who built the artifact. With `required`, its signature, subject and signer are verified.",
  }),
  ...provenanceInputs,
  ...receiptInput,
  "github-token": githubToken("Token that requests the attestation from GitHub; needs `attestations: read`."),
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  compliant:
    "`true` only if the service reports the artifact as compliant, the artifact is expected, and a required GitHub attestation is valid. Otherwise `false`.",
  scope: "Scope of the check: `flow`, `environment` or `policy`.",
  "html-url": "Address of the artifact's page.",
  failures:
    "Reasons why the artifact is non-compliant: a JSON array of `{reason, text, flow, trail, attestation, policy, rule, control}`.",
  "result-file":
    "Path of a JSON file with the service's response. It can report an unexpected artifact as compliant, so use `compliant` for decisions.",
  receipt: `${RECEIPT_OUTPUT} It proves the attestations that the service checked, because a check is not recorded.`,
  "statement-file":
    "Path of the signed statement, a DSSE envelope. Empty without `statement`, for a failed `svr`, or if only this step refuses.",
  "predicate-file": "Path of the statement's predicate alone, for `actions/attest`.",
  referrer:
    "Name of the statement in the registry, such as `ghcr.io/acme/web@sha256:…`. Empty if none was pushed.",
};

type Result = Outcome<keyof typeof outputs>;

export const assertArtifact = defineAction({
  name: "assert-artifact",
  title: "Assert an artifact is compliant",
  description:
    "Fails the step unless an artifact is compliant in its flow, for an environment or by policies.",
  inputs,
  outputs,
  fields: { flow_name: "flow", environment_name: "environment", policy_name: "policies" },
  unknown: { compliant: "false", failures: "[]" },
  check,
  run,
});

type Question = Values & { readonly subject: Subject };

async function check(values: Values, given: ReadonlySet<string>): Promise<Checked<Question>> {
  const problems = subjectProblems(values, given, true);
  if (values.githubAttestation === "required") {
    problems.push(...(await import("./provenance/problems.ts")).provenanceProblems(values, given));
  } else {
    const problem = "is used only with github-attestation: required";
    problems.push(
      ...PROVENANCE_INPUTS.filter((input) => given.has(input)).map((input) => ({ input, problem })),
    );
  }
  if (given.has("environment") && given.has("policies")) {
    problems.push({ input: "policies", problem: "cannot be used with `environment`: set one of them" });
  }
  if (given.has("resource-uri") && !given.has("statement"))
    problems.push({ input: "resource-uri", problem: "is used only with `statement`" });
  if (values.pushToRegistry) problems.push(...(await pushProblems(values)));
  const subject = subjectOf(values);
  return problems.length > 0 || subject === undefined ? { problems } : { values: { ...values, subject } };
}

async function pushProblems(values: Values): Promise<InputProblem[]> {
  const input = "push-to-registry";
  if (values.statement === undefined) return [{ input, problem: "is used only with `statement`" }];
  const { imageProblems } = await import("./stored-image.ts");
  return imageProblems(input, values, { input: "resource-uri", image: values.resourceUri });
}

async function run(values: Question, context: ActionContext): Promise<Result> {
  const fingerprint = await fingerprintOf(values.subject, context);
  const provenance = await provenanceOf(values, fingerprint, context);
  const question = {
    fingerprint,
    ...(values.flow !== undefined && { flowName: values.flow }),
    ...(values.environment !== undefined && { environmentName: values.environment }),
    ...(values.policies.length > 0 && { policyName: values.policies }),
  };
  const reply = await context.call(assertOperation, question).catch((error: unknown) => {
    throw explained(error, fingerprint);
  });
  if (!reply) return undecided(values);
  const assertion = reply.body;
  if (assertion.fingerprint.toLowerCase() !== fingerprint.toLowerCase())
    throw aboutAnother(assertion, fingerprint);
  const failures = [...(await reasonsAgainst(assertion, values, context)), ...provenance.failures];
  const compliant = assertion.compliant && failures.length === 0;
  const signed = await statementOf(values, { question, assertion, compliant }, context);
  const failure = compliant ? undefined : await failureOf({ ...assertion, fingerprint }, failures);
  const receipt = values.receipt ? await receiptFor(assertion, context) : undefined;
  const ofGate = values.failOnNonCompliant ? failure : undefined;
  const [first, ...others] = [ofGate, signed.notPushed, receipt?.failure].filter(
    (each) => each !== undefined,
  );
  for (const { title, text } of others) context.warn(`${title}: ${text}`);
  if (!failure) context.info(`Artifact ${fingerprint} is compliant.`);
  else if (!values.failOnNonCompliant) context.info(failure.text);
  return {
    outputs: {
      compliant: String(compliant),
      scope: assertion.scope,
      "html-url": assertion.htmlUrl ?? "",
      failures: JSON.stringify(failures),
      "result-file": await writeResultFile("assert-artifact", assertion, context),
      receipt: receipt?.path ?? "",
      "statement-file": signed.statement,
      "predicate-file": signed.predicate,
      referrer: signed.referrer ?? "",
    },
    summary: {
      heading: failure?.title ?? "Artifact is compliant",
      mark: compliant ? "passed" : "failed",
      rows: [
        ["Fingerprint", fingerprint],
        ["Checked against", scopeText(values, assertion)],
        ...provenance.rows,
        receiptRow(receipt?.line),
        ...failures.map(({ text: line }) => ["Fails", line]),
      ],
      link: assertion.htmlUrl ? { text: "Open the artifact", url: assertion.htmlUrl } : undefined,
    },
    ...(first && { failure: first }),
  };
}

async function receiptFor(assertion: Assertion, context: ActionContext) {
  const { writeGateReceipt } = await import("./receipt.ts");
  const statuses = flowsOf(assertion).flatMap((flow) => flow.complianceStatus?.attestationsStatuses ?? []);
  const ids = statuses.flatMap(({ attestationId }) => attestationId ?? []);
  return writeGateReceipt([...new Set(ids)], context);
}

/** A response about another artifact must not open the gate. */
function aboutAnother({ fingerprint: answered }: Assertion, fingerprint: string): ProtocolError {
  return new ProtocolError({
    what: `The service reported on artifact ${answered} instead of ${fingerprint}`,
    advice: "Check the proxies and caches between this job and the service.",
  });
}

/** Explains a 404 as an unknown artifact; returns any other error unchanged. */
function explained(error: unknown, fingerprint: string): unknown {
  if (!(error instanceof ApiError && error.missing)) return error;
  if (!error.serviceMessage.startsWith("Artifact")) return error;
  return error.explained({
    ...(!error.serviceMessage.includes(fingerprint) && { details: [`fingerprint: ${fingerprint}`] }),
    advice:
      "Set `fingerprint` or `artifact` to an artifact that attest recorded in this organization and flow, with kind: artifact.",
  });
}

async function reasonsAgainst(assertion: Assertion, { allowUnexpected }: Values, context: ActionContext) {
  const failures = failuresOf(assertion);
  const needsTrails =
    flowsOf(assertion).some(isUnexpected) || failures.some(({ reason }) => reason === "missing");
  const found = needsTrails
    ? await (await import("./assert-artifact/explained-by-trails.ts")).explainedByTrails(
        assertion,
        { allowUnexpected },
        context,
      )
    : failures;
  if (!found.some(({ reason }) => reason === "non-compliant")) return found;
  const { withRecordedReasons } = await import("./assert-artifact/recorded-reasons.ts");
  return withRecordedReasons(found, assertion, context);
}

/** Checks GitHub's attestation if the inputs require one. Its code is loaded only then. */
async function provenanceOf(values: Values, fingerprint: string, context: ActionContext) {
  // A dry run is reported as undecided elsewhere.
  if (values.githubAttestation === "off" || context.dryRun) return { failures: [], rows: [] };
  const { readProvenance } = await import("./assert-artifact/provenance.ts");
  return readProvenance({ ...values, fingerprint, allowOutside: true }, context);
}

interface Stated {
  readonly question: { readonly fingerprint: string };
  readonly assertion: Assertion;
  readonly compliant: boolean;
}

/** Signs nothing that contradicts this step: it may have refused an artifact that the service reports as compliant. */
async function statementOf(
  { statement, resourceUri, pushToRegistry, subject }: Question,
  { question, assertion, compliant }: Stated,
  context: ActionContext,
): Promise<Signed> {
  const isPossible = assertion.compliant === compliant && (compliant || statement === "vsa");
  if (statement === undefined || !isPossible) return { statement: "", predicate: "" };
  const { signedStatement } = await import("./assert-artifact/signed-statement.ts");
  const image = pushToRegistry
    ? ((await import("./stored-image.ts")).imageOf(subject) ?? resourceUri)
    : undefined;
  return signedStatement({ ...question, statement, ...(resourceUri && { resourceUri }) }, image, context);
}

function undecided(values: Values): Result {
  return {
    outputs: {
      ...{ compliant: "false", scope: "", "html-url": "", failures: "[]", "result-file": "" },
      ...{ receipt: "", "statement-file": "", "predicate-file": "", referrer: "" },
    },
    ...(values.failOnNonCompliant && {
      failure: {
        code: "assert.dry_run",
        title: "Nothing was asserted",
        text: "A dry run does not ask the service, so the gate stays closed.",
      },
    }),
  };
}

const CODES: Readonly<Record<Failure["reason"], ErrorCode>> = {
  missing: "assert.missing_attestation",
  "non-compliant": "assert.not_compliant",
  rule: "assert.rule_failed",
  unexpected: "assert.unexpected_artifact",
  unproven: "assert.provenance_unproven",
};

async function failureOf(
  { fingerprint, htmlUrl }: Pick<Assertion, "fingerprint" | "htmlUrl">,
  failures: readonly Failure[],
): Promise<NonNullable<Result["failure"]>> {
  const { failureText } = await import("./assert-artifact/failure-text.ts");
  const reasons = new Set(failures.map(({ reason }) => reason));
  const [only] = reasons.size === 1 ? reasons : [];
  const what = only === "unexpected" ? "not expected" : only === "unproven" ? "not proven" : "not compliant";
  return {
    code: only === undefined ? "assert.not_compliant" : CODES[only],
    title: `Artifact is ${what}`,
    text: failureText(`Artifact ${fingerprint} is ${what}:`, failures, webPage(htmlUrl)),
  };
}

function scopeText(values: Values, { scope, environment, flow }: Assertion): string {
  if (scope === "environment") return `environment ${environment ?? values.environment ?? ""}`;
  if (scope === "policy") return `policies ${values.policies.join(", ")}`;
  return values.flow === undefined ? "every flow that has it" : `flow ${flow ?? values.flow}`;
}
