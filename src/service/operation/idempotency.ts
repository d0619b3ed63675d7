import { createHash } from "node:crypto";
import { REPLAYED_HEADER } from "../../api/operation.ts";
import { Unprocessable } from "../kernel/errors.ts";
import { type Given, prepared } from "../store/prepared.ts";
import type { Database, Tables } from "../store/tables.ts";
import { together } from "../store/together.ts";

const REPEAT_WINDOW_SECONDS = 10 * 60;
/** So long an answer is kept for retries with its `Idempotency-Key`. Older ones count no more. */
export const KEY_WINDOW_SECONDS = 24 * 60 * 60;

/** What tells whether two requests are the same one. */
export interface RequestIdentity {
  /** The API key it came with. */
  apiKeyId: string;
  /** Its `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  /** sha256 over all it says, in hex; worked out only where it is needed, since a body may be large. */
  hash: () => string;
  /**
   * What was proven of its sender, where that was: who says the same with other proof says it anew. With the
   * `Idempotency-Key` of before it is a repeat all the same, as a replay by another job is.
   */
  proof?: Proof | undefined;
}

type Proof = Readonly<Record<string, unknown>>;

/** They are of one token. The next one of the same job proves the same. */
const OF_ONE_TOKEN: readonly string[] = ["exp", "iat", "jti", "nbf"];

/** What equal requests have in common that have no `Idempotency-Key`: what they say, and what was proven of who does. */
function equalityHash({ hash, proof }: RequestIdentity): string {
  if (proof === undefined) return hash();
  const lasting = Object.entries(proof).filter(([claim]) => !OF_ONE_TOKEN.includes(claim));
  return `${hash()}${PROOF_MARK}${requestHash(lasting)}`;
}

const PROOF_MARK = " ";

/** The part that tells what a request said. */
function saidIn(equality: string): string | undefined {
  return equality.split(PROOF_MARK)[0];
}

/** Digests what a request says. How its parts were delimited does not matter: a retry may choose otherwise. */
export function requestHash(content: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** A successful answer, as far as a repeat differs from the first. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keeps the answer for repeats. Give the subject if the request created it. */
type Keep<T> = (answer: T, subject?: string) => Promise<void>;

interface Submission<T, Found> {
  identity: RequestIdentity;
  /**
   * Returns the subject of the request: text made of ids, because names move. Undefined while the subject does not
   * exist, so that nothing can be a repeat. Once something else was recorded about the subject, an equal request
   * without the earlier `Idempotency-Key` is a new record: pass, fail, pass are three records. Absent, only a request
   * with the same `Idempotency-Key` is a repeat.
   */
  subjectOf?: (found: Found | undefined) => string | undefined;
  /** Unix seconds. */
  now: number;
  /** Reads what `record` needs, together with what tells whether this is a repeat. */
  lookUp?: () => Promise<Found>;
  /**
   * Records it, unless it is a repeat. The answer is kept when this returns it, or together with what is recorded by
   * `keep`.
   */
  record: (recording: { found: Found | undefined; keep: Keep<T> }) => Promise<T>;
  /**
   * Answers a repeat where the answer tells of a record that may have changed since, or be gone. Absent, a repeat is
   * answered as the first was.
   */
  repeat?: (first: T) => Promise<T>;
}

/**
 * Records a submission, unless it is a repeat of one that was: then it is only answered. Part of the
 * transaction that records, so that of two equal requests at the same time one records and both are answered.
 *
 * @throws Unprocessable when the `Idempotency-Key` was used for something else
 */
export async function once<T extends Answer, Found = never>(
  db: Database,
  { identity, subjectOf, now, lookUp, record, repeat = async (first) => first }: Submission<T, Found>,
): Promise<T> {
  const isImplicit = subjectOf !== undefined;
  const [earlier, found] = await together([earlierRequests(db, { identity, isImplicit, now }), lookUp?.()]);
  const replay = async (first: string): Promise<T> => {
    const answer = await repeat(JSON.parse(first));
    return { ...answer, headers: { ...answer.headers, [REPLAYED_HEADER]: "true" } };
  };
  const byKey = answerByKey(earlier, identity);
  if (byKey !== undefined) return replay(byKey);

  const before = subjectOf?.(found);
  const byHash = answerByHash(earlier, { identity, subject: before, now });
  if (byHash !== undefined) {
    // Kept for later retries under this Idempotency-Key; the ten minutes still count from the first request.
    if (identity.idempotencyKey !== undefined) {
      await insertAnswer(db, rowOf({ identity, subject: NO_SUBJECT, answer: byHash, now }));
    }
    return replay(byHash);
  }
  let isKept = false;
  const keep: Keep<T> = async (answer, subject = before) => {
    isKept = true;
    if (subject === undefined && identity.idempotencyKey === undefined) return;
    const row = rowOf({ identity, subject, answer: JSON.stringify(answer), now });
    const superseded = before === undefined ? undefined : supersede(db, { subject: before });
    await together([superseded, insertAnswer(db, row)]);
  };
  const answer = await record({ found, keep });
  if (!isKept) await keep(answer);
  return answer;
}

/** Marks a request as one that an equal request does not repeat. */
const NO_SUBJECT = "";

interface AnsweredRequest {
  identity: RequestIdentity;
  subject: string | undefined;
  answer: string;
  now: number;
}

const insertAnswer = prepared((db, given: Given<Tables["answered_requests"]>) => {
  const kept = {
    request_hash: given("request_hash"),
    subject: given("subject"),
    answer: given("answer"),
    answered_at: given("answered_at"),
  };
  return (
    db
      .insertInto("answered_requests")
      .values({ ...kept, api_key_id: given("api_key_id"), idempotency_key: given("idempotency_key") })
      // One with the same key is too old to count, and waits to be removed.
      .onConflict((conflict) =>
        conflict
          .columns(["api_key_id", "idempotency_key"])
          .where("idempotency_key", "is not", null)
          .doUpdateSet(kept),
      )
  );
});

/** From now on, requests equal to an earlier one about this subject say something new. */
const supersede = prepared((db, given: Given<{ subject: string }>) =>
  db.updateTable("answered_requests").set({ subject: NO_SUBJECT }).where("subject", "=", given("subject")),
);

function rowOf({ identity, subject = NO_SUBJECT, answer, now }: AnsweredRequest) {
  return {
    api_key_id: identity.apiKeyId,
    idempotency_key: identity.idempotencyKey ?? null,
    request_hash: equalityHash(identity),
    subject,
    answer,
    answered_at: now,
  };
}

type EarlierRequest = Tables["answered_requests"];

/** The answered requests with the same `Idempotency-Key`, or that say the same. */
const selectEarlier = prepared(
  (
    db,
    given: Given<{
      apiKeyId: string;
      idempotencyKey: string | null;
      hash: string | null;
      since: number;
    }>,
  ) =>
    db
      .selectFrom("answered_requests")
      .select(["api_key_id", "idempotency_key", "request_hash", "subject", "answer", "answered_at"])
      // Nothing equals what is null.
      .where(({ or, and, eb }) => {
        const ofKey = and([
          eb("api_key_id", "=", given("apiKeyId")),
          eb("idempotency_key", "=", given("idempotencyKey")),
        ]);
        const ofHash = and([
          eb("api_key_id", "=", given("apiKeyId")),
          eb("request_hash", "=", given("hash")),
        ]);
        return or([ofKey, ofHash]);
      })
      .where("answered_at", ">=", given("since")),
);

async function earlierRequests(
  db: Database,
  { identity, isImplicit, now }: { identity: RequestIdentity; isImplicit: boolean; now: number },
): Promise<EarlierRequest[]> {
  const { apiKeyId, idempotencyKey } = identity;
  if (idempotencyKey === undefined && !isImplicit) return [];
  return selectEarlier(db, {
    apiKeyId,
    idempotencyKey: idempotencyKey ?? null,
    hash: isImplicit ? equalityHash(identity) : null,
    since: now - KEY_WINDOW_SECONDS,
  });
}

/** @throws Unprocessable when the `Idempotency-Key` was used for something else */
function answerByKey(
  earlier: readonly EarlierRequest[],
  { apiKeyId, idempotencyKey, hash }: RequestIdentity,
): string | undefined {
  const found = earlier.find(
    (each) => each.api_key_id === apiKeyId && each.idempotency_key === idempotencyKey,
  );
  if (found && saidIn(found.request_hash) !== hash()) {
    throw new Unprocessable("Idempotency-Key was used with another request");
  }
  return found?.answer;
}

function answerByHash(
  earlier: readonly EarlierRequest[],
  { identity, subject, now }: { identity: RequestIdentity; subject: string | undefined; now: number },
): string | undefined {
  return earlier.find(
    (each) =>
      each.api_key_id === identity.apiKeyId &&
      each.request_hash === equalityHash(identity) &&
      each.answered_at > now - REPEAT_WINDOW_SECONDS &&
      each.subject === subject,
  )?.answer;
}
