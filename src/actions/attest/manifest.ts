import { isEvidenceError } from "../../api/client/errors.ts";
import { describeCommit } from "../../github/event/commit.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import type { DescribeCommit } from "../origin.ts";
import { attestOne } from "./attest-one.ts";
import type { AttestationInputs, AttestationValues, StepValues } from "./inputs.ts";
import { readManifest } from "./manifest-file.ts";
import { type EntryResult, manifestOutcome } from "./manifest-outcome.ts";
import type { AttestResult } from "./outputs.ts";
import { requireFlows } from "./required-flows.ts";
import { expectationsOf } from "./template-check.ts";

/** Attestations in progress at a time: each may have 200 MB of open files. */
const AT_A_TIME = 8;

/** Records the entries of a manifest. @throws {InputError} with all problems of all entries, before anything is sent */
export async function attestManifest(
  path: string,
  defaults: AttestationValues & StepValues,
  context: ActionContext,
): Promise<AttestResult> {
  const workspace = context.runner.workspace ?? process.cwd();
  return attestEntries(await readManifest({ path, workspace, defaults }), defaults, context);
}

/**
 * Records several attestations: artifacts first, because attestations may be about them, overrides last, because they
 * are about attestations, and all others at once in between.
 */
export async function attestEntries(
  entries: readonly AttestationInputs[],
  defaults: AttestationValues & StepValues,
  context: ActionContext,
): Promise<AttestResult> {
  await requireFlows(entries, defaults, context);
  const describe = shared((question) => describeCommit({ ...question, warn: context.warn }));
  const results = new Map<AttestationInputs, EntryResult>();
  for (const wave of inWaves(entries)) {
    await fewAtATime(AT_A_TIME, wave, async (values) =>
      results.set(values, await attempt(values, context, describe)),
    );
  }
  const inOrder = entries.flatMap((values) => results.get(values) ?? []);
  // Last, because only now all artifacts are known.
  const attested = inOrder.flatMap((result) => ("done" in result ? result : []));
  const expectations = await expectationsOf(attested, defaults, context);
  return manifestOutcome(inOrder, { expectations, failOnNonCompliant: defaults.failOnNonCompliant }, context);
}

function inWaves(entries: readonly AttestationInputs[]): AttestationInputs[][] {
  const artifacts = entries.filter(({ kind }) => kind === "artifact");
  const overrides = entries.filter(({ kind }) => kind === "override");
  return [artifacts, entries.filter((entry) => ![...artifacts, ...overrides].includes(entry)), overrides];
}

async function attempt(values: AttestationInputs, context: ActionContext, describe: DescribeCommit) {
  const warn = (text: string) => context.warn(`${values.name}: ${text}`);
  try {
    return { values, done: await attestOne(values, { ...context, warn }, describe) };
  } catch (error) {
    context.signal.throwIfAborted();
    return { values, error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!isEvidenceError(error)) return error instanceof Error ? error.message : String(error);
  return [error.message, ...error.details, error.advice].filter(Boolean).join("\n");
}

/** Describes each commit once, however many attestations share it. */
function shared(describe: DescribeCommit): DescribeCommit {
  const known = new Map<string, ReturnType<DescribeCommit>>();
  return (question) => {
    const key = JSON.stringify([question.sha, question.token, [...question.redact].sort()]);
    const found = known.get(key) ?? describe(question);
    known.set(key, found);
    return found;
  };
}
