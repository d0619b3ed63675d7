import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { call } from "../api/client/call.ts";
import { isUnavailable } from "../api/client/errors.ts";
import { parsing } from "../api/parsing.ts";
import { downloadEvidence, listAttestations } from "../api/resources/attestations.ts";
import { type EvaluationRecord, evaluationRecord } from "../api/resources/evaluation-record.ts";
import { asObject, type Untyped } from "../api/untyped.ts";
import { engineName, PackageFault, unpackEvaluation } from "../evidence/rego/evaluation-package.ts";
import { findOpa } from "../evidence/rego/find-opa.ts";
import { openOpa } from "../evidence/rego/opa.ts";
import {
  decisionProblems,
  packageProblems,
  repeatEvaluation,
  verdictDifferences,
} from "../evidence/rego/replay.ts";
import { PolicyFault } from "../evidence/rego/verdict.ts";
import { openConnection } from "./connection-options.ts";
import { interrupted } from "./interrupts.ts";
import type { REPLAY_OPTIONS } from "./options.ts";
import { type Terminal, UsageError, type ValuesOf } from "./usage.ts";

type Values = ValuesOf<typeof REPLAY_OPTIONS>;

const SAME = 0;
const DIFFERENT = 1;
/** The result is unknown, for example without opa. */
const UNDECIDED = 2;

/** Repeats the evaluation of a decision, or of a package. The status is 0 only if it gives the same result. */
export async function verifyReplay(
  values: Values & { readonly replay: string },
  terminal: Terminal,
): Promise<number> {
  using interruption = interrupted();
  const { signal } = interruption;
  const { print, note } = terminal;
  try {
    const { bytes, decided } = await readPackage(values, terminal, signal);
    const evaluation = await unpackEvaluation(bytes);
    const { record } = evaluation;
    const problems = packageProblems(evaluation, decided?.record);
    if (decided) problems.push(...decisionProblems(decided.data, decided.record));
    for (const problem of problems) print(problem);
    if (problems.length > 0) return DIFFERENT;
    const opa = await openOpa(
      findOpa({ given: values["opa-path"], environment: terminal.environment }),
      signal,
    );
    const engine = engineName(opa);
    if (engine !== record.engine)
      note(`warning: evaluated with ${engine}; the record names ${record.engine}`, "warning");
    const differences = verdictDifferences(record, await repeatEvaluation(opa, evaluation, signal));
    for (const difference of differences) print(difference);
    const result = `${record.allow ? "allow" : "deny"}, ${record.violations.length} violations`;
    print(
      differences.length === 0 ? `Same result with ${engine}: ${result}` : `Different result with ${engine}`,
    );
    return differences.length === 0 ? SAME : DIFFERENT;
  } catch (error) {
    if (signal.aborted) return interruption.status(terminal);
    if (error instanceof PackageFault) {
      print(`The package cannot be read: ${error.message}`);
      return DIFFERENT;
    }
    if (!(error instanceof PolicyFault || isUnavailable(error))) throw error;
    const words = error instanceof Error ? error.message : String(error);
    note(`delivery-evidence: ${words.replaceAll("`opa-path`", "--opa-path")}`, "error");
    return UNDECIDED;
  }
}

async function readPackage(
  { replay, ...values }: Values & { readonly replay: string },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; decided?: { record: EvaluationRecord; data: Untyped } }> {
  if (replay.endsWith(".tgz")) {
    const bytes = await readFile(replay).catch(() => {
      throw new UsageError(`The file '${replay}' cannot be read`);
    });
    return { bytes };
  }
  await using connection = await openConnection(values, terminal, undefined, signal);
  const { body } = await call(connection, listAttestations, { attestationId: replay });
  const [found] = body.data;
  if (found === undefined)
    throw new UsageError(`The attestation '${replay}' was not found in ${connection.org}`);
  const data = asObject(found.attestationData);
  const record = z.safeParse(evaluationRecord, data["evaluation"], parsing);
  const { flowName, trailName } = found;
  if (!record.success || !flowName || !trailName)
    throw new UsageError(`The attestation '${replay}' is not a decision with an evaluation`);
  const evidence = await call(connection, downloadEvidence, { flowName, trailName, attestationId: replay });
  return { bytes: evidence.body.content, decided: { record: record.data, data } };
}
