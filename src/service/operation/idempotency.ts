import { hash } from "node:crypto";
import { REPLAYED_HEADER } from "../../api/operation.ts";
import { Unprocessable } from "../kernel/errors.ts";
import { letOthersIn } from "../kernel/slices.ts";
import { type Given, prepared, together } from "../store/prepared.ts";
import type { Store } from "../store/store.ts";
import type { Database, Tables } from "../store/tables.ts";

const REPEAT_WINDOW_SECONDS = 10 * 60;
/** Time for which responses are kept for retries with an `Idempotency-Key`. Older ones do not count. */
const KEY_WINDOW_SECONDS = 24 * 60 * 60;

export interface RequestIdentity {
  apiKeyId: string;
  idempotencyKey: string | undefined;
  /** sha256 over the request's content, in hex. Computed on demand, because a body may be large. */
  hash: () => string;
  /** With other proof, a request is new, unless its `Idempotency-Key` is the same. */
  proof?: Proof | undefined;
}

type Proof = Readonly<Record<string, unknown>>;

/** Claims that differ between tokens of one job; ignored when requests are compared. */
const OF_ONE_TOKEN: readonly string[] = ["exp", "iat", "jti", "nbf"];

/** Hash that equal requests without `Idempotency-Key` share: their content, and the caller's proven claims. */
function equalityHash({ hash, proof }: RequestIdentity): string {
  if (proof === undefined) return hash();
  const lasting = Object.entries(proof).filter(([claim]) => !OF_ONE_TOKEN.includes(claim));
  return `${hash()}${PROOF_MARK}${requestHash(lasting)}`;
}

const PROOF_MARK = " ";

/** Digests a request's content. The encoding of its parts does not matter: a retry may use another one. */
export function requestHash(content: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(content));
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keeps the answer for repeats. Give the subject if the request created it. */
type Keep<T> = (answer: T, subject?: string) => Promise<void>;

interface Submission<T, Found> {
  identity: RequestIdentity;
  /**
   * Text made of ids, because names move. Undefined while the subject does not exist. After another
   * record about the subject, an equal request without the earlier `Idempotency-Key` is new.
   * Without `subjectOf`, only the same `Idempotency-Key` is a repeat.
   */
  subjectOf?: (found: Found | undefined) => string | undefined;
  /** Unix seconds. */
  now: number;
  /** Reads what `record` needs, in parallel with the search for a repeat. */
  lookUp?: () => Promise<Found>;
  /** Stores the response when this returns, or together with the record by `keep`. */
  record: (recording: { found: Found | undefined; keep: Keep<T> }) => Promise<T>;
  /** Answers a repeat if its record may have changed. Absent: repeats the first response. */
  repeat?: (first: T) => Promise<T>;
}

/** Records once for two equal requests at the same time. @throws Unprocessable when the `Idempotency-Key` was reused */
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
  let isRecorded = false;
  const keep: Keep<T> = async (answer, subject = before) => {
    isRecorded = true;
    if (subject === undefined && identity.idempotencyKey === undefined) return;
    await insertAnswer(db, rowOf({ identity, subject, answer: JSON.stringify(answer), now }));
  };
  const answer = await record({ found, keep });
  if (!isRecorded) await keep(answer);
  return answer;
}

/** Marks a request that an equal request does not repeat. */
const NO_SUBJECT = "";

function insertAnswer(db: Database, row: Answered): Promise<unknown> {
  return row.idempotency_key === null ? insertUnnamed(db, row) : insertNamed(db, row);
}

const contentOf = (given: Given<Answered>) => ({
  request_hash: given("request_hash"),
  subject: given("subject"),
  answer: given("answer"),
  answered_at: given("answered_at"),
  answered_window: given("answered_window"),
});

const insertUnnamed = prepared((db, given: Given<Answered>) =>
  db.insertInto("answered_requests").values({ ...contentOf(given), api_key_id: given("api_key_id") }),
);

const insertNamed = prepared((db, given: Given<Answered>) =>
  db
    .insertInto("answered_requests")
    .values({
      ...contentOf(given),
      api_key_id: given("api_key_id"),
      idempotency_key: given("idempotency_key"),
    })
    // An earlier row with the same key is too old to count, and has not been removed yet.
    .onConflict((conflict) =>
      conflict
        .columns(["api_key_id", "idempotency_key"])
        .where("idempotency_key", "is not", null)
        .doUpdateSet((eb) => ({ ...contentOf(given), sequence: eb.ref("excluded.sequence") })),
    ),
);

function rowOf({
  identity,
  subject = NO_SUBJECT,
  answer,
  now,
}: {
  identity: RequestIdentity;
  subject: string | undefined;
  answer: string;
  now: number;
}) {
  return {
    api_key_id: identity.apiKeyId,
    idempotency_key: identity.idempotencyKey ?? null,
    request_hash: equalityHash(identity),
    subject,
    answer,
    answered_at: now,
    answered_window: windowOf(now),
  };
}

function windowOf(time: number): number {
  return Math.floor(time / REPEAT_WINDOW_SECONDS);
}

type Answered = Omit<Tables["answered_requests"], "sequence">;

interface EarlierRequest extends Omit<Answered, "answered_window"> {
  /** Whether a later request about the same subject was recorded. */
  readonly isSuperseded: unknown;
}

interface EarlierQuery {
  apiKeyId: string;
  idempotencyKey: string | null;
  hash: string | null;
  /** The windows in which an equal request may have been answered. Clocks of instances differ. */
  windowBefore: number;
  window: number;
  windowAfter: number;
  since: number;
}

/** Answered requests with the same `Idempotency-Key`, or with the same content in the time of a repeat. */
const selectEarlier = prepared((db, given: Given<EarlierQuery>) =>
  db
    .selectFrom("answered_requests")
    .select(["api_key_id", "idempotency_key", "request_hash", "subject", "answer", "answered_at"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("answered_requests as later")
          .select("later.sequence")
          .whereRef("later.subject", "=", "answered_requests.subject")
          .whereRef("later.sequence", ">", "answered_requests.sequence"),
      ).as("isSuperseded"),
    )
    // In SQL, nothing equals null.
    .where(({ or, and, eb }) => {
      const ofKey = and([
        eb("api_key_id", "=", given("apiKeyId")),
        eb("idempotency_key", "=", given("idempotencyKey")),
      ]);
      const ofHash = (["windowBefore", "window", "windowAfter"] as const).map((window) =>
        and([
          eb("api_key_id", "=", given("apiKeyId")),
          eb("answered_window", "=", given(window)),
          eb("request_hash", "=", given("hash")),
        ]),
      );
      return or([ofKey, ...ofHash]);
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
    windowBefore: windowOf(now) - 1,
    window: windowOf(now),
    windowAfter: windowOf(now) + 1,
    since: now - KEY_WINDOW_SECONDS,
  });
}

/** @throws Unprocessable when the `Idempotency-Key` was used with another request */
function answerByKey(
  earlier: readonly EarlierRequest[],
  { apiKeyId, idempotencyKey, hash }: RequestIdentity,
): string | undefined {
  const found = earlier.find(
    (each) => each.api_key_id === apiKeyId && each.idempotency_key === idempotencyKey,
  );
  if (found && found.request_hash.split(PROOF_MARK)[0] !== hash()) {
    throw new Unprocessable("idempotency.key_reused", "Idempotency-Key was used with another request");
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
      each.subject === subject &&
      !each.isSuperseded,
  )?.answer;
}

/** Few enough that removing them delays no request. */
const AT_ONCE = 1_000;

export async function removeOldAnswers(
  { store, now }: { store: Pick<Store, "read" | "write">; now: () => number },
  stop: AbortSignal,
): Promise<void> {
  const expired = now() - KEY_WINDOW_SECONDS;
  for (let after = 0; !stop.aborted; ) {
    const oldest = await store.read
      .selectFrom("answered_requests")
      .select(["sequence", "answered_at"])
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(AT_ONCE)
      .execute();
    const last = oldest.findLast(({ answered_at }) => answered_at < expired);
    if (!last) return;
    after = last.sequence;
    await store.write((db) =>
      db
        .deleteFrom("answered_requests")
        .where("sequence", "<=", last.sequence)
        .where("answered_at", "<", expired)
        .execute(),
    );
    await letOthersIn();
  }
}
