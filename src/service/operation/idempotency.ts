import { createHash } from "node:crypto";
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

interface Submission<T, Found> {
  identity: RequestIdentity;
  /**
   * What the request records something about. Once something else was recorded about it, an equal request
   * without an `Idempotency-Key` of before is no repeat: pass, fail, pass are three records. Absent, only a
   * request with the same `Idempotency-Key` is a repeat.
   */
  subject?: string;
  /** Unix seconds. */
  now: number;
  /** Reads what `record` needs, together with what tells whether this is a repeat. */
  lookUp?: () => Promise<Found>;
  /**
   * Records it, unless it is a repeat. The answer is kept when this returns it, or together with what is recorded by
   * `keep`.
   */
  record: (recording: { found: Found | undefined; keep: (answer: T) => Promise<void> }) => Promise<T>;
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
export async function once<T, Found = never>(
  db: Database,
  { identity, subject, now, lookUp, record, repeat = async (first) => first }: Submission<T, Found>,
): Promise<T> {
  const [earlier, found] = await together([earlierRequests(db, { identity, subject, now }), lookUp?.()]);
  const byKey = answerByKey(earlier, identity);
  if (byKey !== undefined) return repeat(JSON.parse(byKey));

  const byHash = answerByHash(earlier, identity, now);
  if (byHash !== undefined) {
    // Kept for later retries under this Idempotency-Key; the ten minutes still count from the first request.
    if (identity.idempotencyKey !== undefined) {
      await insertAnswer(db, rowOf({ identity, subject: NO_SUBJECT, answer: byHash, now }));
    }
    return repeat(JSON.parse(byHash));
  }
  let isKept = false;
  const keep = (answer: T) => {
    isKept = true;
    return keepAnswer(db, { identity, subject, answer: JSON.stringify(answer), now }, earlier);
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

/** Takes the place of the answer before about its subject. */
const updateAnswer = prepared((db, given: Given<Omit<Tables["answered_requests"], "idempotency_key">>) =>
  db
    .updateTable("answered_requests")
    .set({
      api_key_id: given("api_key_id"),
      request_hash: given("request_hash"),
      answer: given("answer"),
      answered_at: given("answered_at"),
    })
    .where("subject", "=", given("subject")),
);

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

/** Keeps an answer for repeats, of which there are none without a subject or a key. */
async function keepAnswer(
  db: Database,
  answered: AnsweredRequest,
  earlier: readonly EarlierRequest[],
): Promise<void> {
  const { identity, subject } = answered;
  if (subject === undefined && identity.idempotencyKey === undefined) return;
  const row = rowOf(answered);
  const before = subject === undefined ? undefined : earlier.find((each) => each.subject === subject);
  if (before === undefined) await insertAnswer(db, row);
  // An answer that has no key of its own is of no use once it is not the latest.
  else if (before.idempotency_key === null && row.idempotency_key === null) await updateAnswer(db, row);
  else await together([supersede(db, { subject: before.subject }), insertAnswer(db, row)]);
}

type EarlierRequest = Tables["answered_requests"];

/** The answered requests with the same `Idempotency-Key`, that say the same, or that are about the same. */
const selectEarlier = prepared(
  (
    db,
    given: Given<{
      apiKeyId: string;
      idempotencyKey: string | null;
      hash: string | null;
      subject: string | null;
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
        return or([ofKey, ofHash, eb("subject", "=", given("subject"))]);
      })
      .where("answered_at", ">=", given("since")),
);

async function earlierRequests(
  db: Database,
  { identity, subject, now }: { identity: RequestIdentity; subject: string | undefined; now: number },
): Promise<EarlierRequest[]> {
  const { apiKeyId, idempotencyKey } = identity;
  if (idempotencyKey === undefined && subject === undefined) return [];
  return selectEarlier(db, {
    apiKeyId,
    idempotencyKey: idempotencyKey ?? null,
    hash: subject === undefined ? null : equalityHash(identity),
    subject: subject ?? null,
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
  identity: RequestIdentity,
  now: number,
): string | undefined {
  return earlier.find(
    (each) =>
      each.api_key_id === identity.apiKeyId &&
      each.request_hash === equalityHash(identity) &&
      each.answered_at > now - REPEAT_WINDOW_SECONDS &&
      each.subject !== NO_SUBJECT,
  )?.answer;
}
