import { randomInt } from "node:crypto";
import type { Selectable } from "kysely";
import { record } from "../../events/record.ts";
import type { RequestSource } from "../../kernel/caller.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { OF_NO_ORGANIZATION } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { hashOf } from "../accounts/keys.ts";
import { beginPersonSession } from "../members/person-sessions.ts";
import { newToken } from "../sessions.ts";
import { organizationsOf } from "./sign-in.ts";

/*
 * Signs a command line in as the person who approves its code in a browser (RFC 8628). The command line has the device
 * code, a secret, and shows the user code, which the person types or follows.
 */

/** Lifetime of both codes, in seconds. */
export const DEVICE_LOGIN_SECONDS = 10 * 60;
/** Seconds between two polls, and what a poll that comes too early adds to them. */
export const POLL_SECONDS = 5;

/**
 * Letters of user codes, as RFC 8628 proposes: no vowels, so that no code is a word, and no digits, which look like
 * letters. There are 20^8 = 25,600,000,000 codes. A wrong code counts as a failed login, so one address can try 600 codes
 * at once and 600 in each of the next ten minutes. With 1,000 pending codes, it finds one with a probability of 1 in
 * 3,900. It must be signed in to try, and could only let another machine act in its own name.
 */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

interface NewDeviceLogin {
  /** Name of the machine, as it says. */
  readonly device: string | null;
  readonly address: string | null;
}

export interface DeviceCodes {
  readonly deviceCode: string;
  /** `BDWP-HQPK` */
  readonly userCode: string;
}

/** Only hashes of the codes are stored. */
export async function beginDeviceLogin(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  { device, address }: NewDeviceLogin,
): Promise<DeviceCodes> {
  const deviceCode = newToken();
  const at = now();
  for (;;) {
    const userCode = newUserCode();
    const codes = { device_hash: hashOf(deviceCode), user_hash: hashOf(userCode) };
    const times = { created_at: at, expires_at: at + DEVICE_LOGIN_SECONDS, polled_at: null };
    const nobody = { answer: null, person_id: null, provider: null, provider_session: null };
    const made = await store.write(
      (db) =>
        db
          .insertInto("device_logins")
          .values({ ...codes, device, address, ...times, poll_seconds: POLL_SECONDS, ...nobody })
          .onConflict((conflict) => conflict.column("user_hash").doNothing())
          .returning("device_hash")
          .executeTakeFirst(),
      OF_NO_ORGANIZATION,
    );
    if (made !== undefined) return { deviceCode, userCode };
  }
}

function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  return `${letters.slice(0, LENGTH / 2).join("")}-${letters.slice(LENGTH / 2).join("")}`;
}

/** The code as people type it: in any case, with or without the hyphen. Undefined if it cannot be one. */
export function typedUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, "");
  const isCode = letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}` : undefined;
}

/** A request without an answer yet. */
export function waitingDeviceLogin(db: Database, userCode: string, now: number) {
  return db
    .selectFrom("device_logins")
    .select(["device", "address", "created_at as createdAt"])
    .where("user_hash", "=", hashOf(userCode))
    .where("answer", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

interface Answered {
  readonly userCode: string;
  readonly answer: "approved" | "denied";
  readonly personId: string;
  /** The browser's session. */
  readonly sessionId: string;
}

/** Answers a request once. @returns false if it is unknown, has expired or was answered */
export async function answerDeviceLogin(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  { userCode, answer, personId, sessionId }: Answered,
): Promise<boolean> {
  const { numUpdatedRows } = await store.write(
    (db) =>
      db
        .updateTable("device_logins")
        .set(({ selectFrom, fn, val }) => ({
          ...{ answer, person_id: personId },
          provider: selectFrom("sessions").select("provider").where("id", "=", sessionId),
          provider_session: selectFrom("sessions").select("provider_session").where("id", "=", sessionId),
          ended_in: fn.coalesce(
            selectFrom("sessions").select("ended_in").where("id", "=", sessionId),
            val(""),
          ),
        }))
        .where("user_hash", "=", hashOf(userCode))
        .where("answer", "is", null)
        .where("expires_at", ">", now())
        // It may have ended since the page was read.
        .where(({ exists, selectFrom }) =>
          exists(selectFrom("sessions").select("id").where("id", "=", sessionId)),
        )
        .executeTakeFirstOrThrow(),
    OF_NO_ORGANIZATION,
  );
  return numUpdatedRows === 1n;
}

/** An error of RFC 8628. Unknown and used codes are `expired_token` too. */
type PollError = "authorization_pending" | "slow_down" | "access_denied" | "expired_token";

/** Returns the token of a new session after the approval, once. */
export async function pollDeviceLogin(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  { deviceCode, source }: { deviceCode: string; source: RequestSource },
): Promise<{ token: string } | { error: PollError }> {
  const at = now();
  const hash = hashOf(deviceCode);
  const known = await store.read
    .selectFrom("device_logins")
    .select(["answer", "expires_at", "polled_at", "poll_seconds"])
    .where("device_hash", "=", hash)
    .executeTakeFirst();
  if (known === undefined || known.expires_at <= at) return { error: "expired_token" };
  const isEarly = known.polled_at !== null && at - known.polled_at < known.poll_seconds;
  if (isEarly || known.answer === null) {
    const changes = { polled_at: at, poll_seconds: known.poll_seconds + (isEarly ? POLL_SECONDS : 0) };
    await store.write(
      (db) => db.updateTable("device_logins").set(changes).where("device_hash", "=", hash).execute(),
      OF_NO_ORGANIZATION,
    );
    return { error: isEarly ? "slow_down" : "authorization_pending" };
  }
  return store.write(async (db) => {
    // Only one of two simultaneous polls finds the row.
    const ended = await db
      .deleteFrom("device_logins")
      .where("device_hash", "=", hash)
      .returningAll()
      .executeTakeFirst();
    if (ended === undefined) return { error: "expired_token" };
    const token =
      ended.answer === "approved" ? await beginSession(db, ended, { source, now: at }) : undefined;
    return token === undefined ? { error: "access_denied" } : { token };
  });
}

/** Undefined if the person has lost access since the approval. */
async function beginSession(
  db: Database,
  { person_id: personId, device, provider, provider_session, ended_in }: Selectable<Tables["device_logins"]>,
  { source, now }: { source: RequestSource; now: number },
): Promise<string | undefined> {
  if (personId === null) return undefined;
  const person = await db
    .selectFrom("people")
    .select("ended_at as endedAt")
    .where("id", "=", personId)
    .executeTakeFirst();
  const orgs = await organizationsOf(db, personId);
  if (person?.endedAt !== null || orgs.length === 0) return undefined;
  const kind = "command line";
  for (const { id: orgId, accountId, name } of orgs) {
    const by = { ...source, orgId, now, accountId, accountName: name, keyId: null };
    await record(db, by, {
      type: "member.signed_in",
      subject: { id: accountId, name },
      data: { details: { provider: provider ?? "", session: kind } },
    });
  }
  return beginPersonSession(db, {
    ...{ kind, personId, now, client: device, address: source.address },
    ...{ provider, provider_session, id_token: null, ended_in },
  });
}
