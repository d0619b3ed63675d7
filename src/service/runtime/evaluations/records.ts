import type { ExpressionBuilder } from "kysely";
import type { EvaluationAnswer } from "../../../api/resources/evaluations.ts";
import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";

type Row = Tables["evaluations"];

export async function addEvaluation(
  db: Database,
  row: Pick<Row, "id" | "org_id" | "instance_id" | "flow_ids" | "environment_id" | "requested_at">,
): Promise<void> {
  await db
    .insertInto("evaluations")
    .values({ ...row, status: "pending" })
    .execute();
}

/** @throws NotFound */
export async function requireEvaluation(db: Database, org: Organization, id: string) {
  const row = await db
    .selectFrom("evaluations")
    .selectAll()
    .where("org_id", "=", org.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw unknownEvaluation(org, id);
  return row;
}

export function unknownEvaluation(org: Organization, id: string): NotFound {
  return new NotFound(
    "evaluation.not_found",
    `Evaluation '${id}' does not exist in organization '${org.name}'`,
  );
}

export function evaluationView(row: Awaited<ReturnType<typeof requireEvaluation>>): EvaluationAnswer {
  return {
    id: row.id,
    status: row.status,
    requestedAt: row.requested_at,
    recordedAt: row.recorded_at,
    result: row.result === null ? null : JSON.parse(row.result),
    error: row.error === null ? null : JSON.parse(row.error),
    decisionAttestationId: row.attestation_id ?? "",
  };
}

interface Completed {
  readonly status: "completed";
  readonly result: NonNullable<EvaluationAnswer["result"]>;
  /** The attestation with the decision. */
  readonly attestationId: string | null;
}

export interface Failed {
  readonly status: "failed";
  readonly error: { readonly kind: string; readonly message: string };
}

/** Ends an evaluation. Returns whether it was still pending. */
export async function endEvaluation(
  db: Database,
  { id, at, end }: { id: string; at: number; end: Completed | Failed },
): Promise<boolean> {
  const outcome =
    end.status === "failed"
      ? { error: JSON.stringify(end.error) }
      : { result: JSON.stringify(end.result), attestation_id: end.attestationId };
  const ended = await db
    .updateTable("evaluations")
    .set({ status: end.status, recorded_at: at, ...outcome })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .returning("id")
    .execute();
  return ended.length > 0;
}

export const STOPPED: Failed["error"] = {
  kind: "stopped",
  message: "The service stopped before the policy was evaluated: evaluate it again",
};

interface Bounds {
  /** Instances that run now. */
  readonly live: readonly string[];
  /** Evaluations that were requested earlier do not end any more. */
  readonly since: number;
  /** Evaluations that were requested earlier are removed. */
  readonly keptSince: number;
}

/** Whether an evaluation must be failed or removed. Most of the time there is none, which needs no write. */
export async function hasEnded(db: Database, bounds: Bounds): Promise<boolean> {
  const ids = db.selectFrom("evaluations").select("id").limit(1);
  // Each query uses an index of its own. A query for both would read the whole table.
  const old = await ids.where("requested_at", "<", bounds.keptSince).execute();
  if (old.length > 0) return true;
  const pending = await ids.where((eb) => abandoned(eb, bounds)).execute();
  return pending.length > 0;
}

/** Fails the pending evaluations of instances that have stopped. */
export async function failAbandoned(db: Database, bounds: Bounds, at: number): Promise<void> {
  await db
    .updateTable("evaluations")
    .set({ status: "failed", recorded_at: at, error: JSON.stringify(STOPPED) })
    .where((eb) => abandoned(eb, bounds))
    .execute();
}

function abandoned(eb: ExpressionBuilder<Tables, "evaluations">, { live, since }: Bounds) {
  const hasStopped = eb.or([eb("instance_id", "not in", listed(live)), eb("requested_at", "<", since)]);
  return eb.and([eb("recorded_at", "is", null), hasStopped]);
}

export async function removeOldEvaluations(db: Database, { keptSince }: Bounds): Promise<void> {
  await db.deleteFrom("evaluations").where("requested_at", "<", keptSince).execute();
}
