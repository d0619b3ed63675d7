import type {
  AdmissionWebhookNotification,
  EnvironmentNotification,
  FlowNotification,
  KeyNotification,
  NotificationType,
  ScimTokenNotification,
} from "../../../api/resources/notification-payload.ts";
import type { ActContext, Notifier, Organization } from "../../kernel/caller.ts";
import { inSlices } from "../../kernel/slices.ts";
import { insertRows } from "../../store/dialect.ts";
import { newIdOf } from "../../store/ids.ts";
import type { TargetKind } from "../../store/notification-tables.ts";
import { type Given, prepared, together } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type ActionType, isFor, type Rule, rulesOf } from "./rules.ts";

export const TYPES = {
  ON_STARTED_TRAIL: "trail.started",
  ON_ATTESTED_PROVENANCE: "artifact.reported",
  ON_ATTESTATION: "attestation.recorded",
  ON_APPROVAL: "approval.recorded",
  ON_RELEASE: "approval.approved",
  ON_COMPLIANT_TRAIL: "trail.compliant",
  ON_NON_COMPLIANT_TRAIL: "trail.non_compliant",
  ON_INCOMPLETE_TRAIL: "trail.incomplete",
  ON_REFUSED_GATE: "gate.refused",
  ON_APPROVAL_NEEDED: "approval.needed",
  ON_STARTED_ARTIFACT: "artifact.started",
  ON_EXITED_ARTIFACT: "artifact.exited",
  ON_SCALED_ARTIFACT: "artifact.scaled",
  ON_ALLOWED_ARTIFACT: "artifact.allowed",
  ON_NON_COMPLIANT_ENV: "environment.non_compliant",
  ON_COMPLIANT_ENV: "environment.compliant",
  ON_EXPIRING_API_KEY: "api_key.expiring",
  ON_EXPIRING_SCIM_TOKEN: "scim_token.expiring",
  ON_EXPIRING_ADMISSION_WEBHOOK: "admission_webhook.expiring",
} as const satisfies Record<string, NotificationType>;

export type Trigger = keyof typeof TYPES;

type Frame = "version" | "type" | "event_type" | "timestamp" | "sequence" | "org";
export type FlowContent = Omit<FlowNotification, Frame>;
export type EnvironmentContent = Omit<EnvironmentNotification, Frame>;
export type KeyContent = Omit<KeyNotification, Frame>;
export type ScimTokenContent = Omit<ScimTokenNotification, Frame>;
export type AdmissionWebhookContent = Omit<AdmissionWebhookNotification, Frame>;
export type OrganizationContent = KeyContent | ScimTokenContent | AdmissionWebhookContent;
type Content = FlowContent | EnvironmentContent | OrganizationContent;

/** Occurrences of one trigger in one write. */
export interface Occurrence<Of extends Content = Content> {
  readonly trigger: Trigger;
  /** Name of the flow, environment or organization. */
  readonly place: string;
  /** Payloads. Called only when a rule matches. */
  each(): readonly Of[] | Promise<readonly Of[]>;
  /** One message about several occurrences; absent when there is never more than one. */
  summary?(contents: readonly Of[]): Of;
  /** Merges messages to people. Absent: each event is a message. */
  readonly merge?: Merge | undefined;
}

interface Merge {
  /** Waiting messages with the same key become one. */
  readonly key: string;
  /** Time to wait for further events. */
  readonly seconds: number;
}

/** Time in which several events of a trail become one message. */
const TRAIL_SECONDS = 120;

/** One message about the events of a trail within two minutes. */
export function mergedByTrail(trailId: string | null | undefined): Merge | undefined {
  return trailId ? { key: trailId, seconds: TRAIL_SECONDS } : undefined;
}

/** Whether a target takes each event. People get one summary for each write. */
const TAKES_EACH: Readonly<Record<TargetKind, boolean>> = {
  webhook: true,
  github: true,
  slack: false,
  teams: false,
  email: false,
};

interface Raised {
  readonly trigger: Trigger;
  readonly content: Content;
  readonly rules: readonly Rule[];
  readonly merge: Merge | undefined;
}

interface RaiseOptions {
  readonly type: ActionType;
  /** Read before in this transaction. */
  readonly rules?: readonly Rule[] | undefined;
}

/**
 * Records notifications and their deliveries in the caller's transaction. Without a matching rule, nothing is written.
 *
 * @param occurrences called only if there are rules
 */
export async function raise(
  db: Database,
  { now, notifier }: Pick<ActContext, "now" | "notifier">,
  { type, rules: known }: RaiseOptions,
  occurrences: (
    notifier: Notifier,
    rules: readonly Rule[],
  ) => readonly Occurrence[] | Promise<readonly Occurrence[]>,
): Promise<void> {
  if (notifier === undefined) return;
  const { org, deliveries } = notifier;
  const rules = known ?? (await rulesOf(db, org.id, type));
  if (rules.length === 0) return;
  const raised: Raised[] = [];
  for (const occurrence of await occurrences(notifier, rules)) {
    for (const each of await eventsOf(rules, occurrence)) raised.push(each);
  }
  if (raised.length === 0) return;
  const [organization] = await takeNumbers(db, { orgId: org.id, count: raised.length });
  if (!organization) throw new Error(`There is no organization '${org.id}'`);
  const first = organization.last - raised.length + 1;
  const numbered = raised.map((each, index) => ({ ...each, id: newIdOf(now), number: first + index }));
  const events = await inSlices(numbered, (slice) =>
    slice.map(({ id, number, trigger, content }) => ({
      id,
      org_id: org.id,
      number,
      event_trigger: trigger,
      payload: JSON.stringify({ ...frame(trigger, org, now), ...content }),
      created_at: now,
    })),
  );
  const waiting = numbered.flatMap(({ id, rules: matching, merge }) =>
    matching.map((rule) => ({
      id: newIdOf(now),
      org_id: org.id,
      event_id: id,
      action_id: rule.action_id,
      target_id: rule.target_id,
      ...scheduleOf(rule, merge, now),
      created_at: now,
    })),
  );
  await insert(db, events, waiting);
  deliveries.wake();
}

function scheduleOf({ kind, muted_until }: Rule, merge: Merge | undefined, now: number) {
  if (muted_until !== null && muted_until > now) {
    return { state: "muted" as const, due_at: null, ended_at: now, merge_key: null };
  }
  const merged = TAKES_EACH[kind] ? undefined : merge;
  const due_at = now + (merged?.seconds ?? 0);
  return { state: "pending" as const, due_at, ended_at: null, merge_key: merged?.key ?? null };
}

async function eventsOf(rules: readonly Rule[], occurrence: Occurrence): Promise<Raised[]> {
  const matching = rules.filter((rule) => isFor(rule, occurrence));
  if (matching.length === 0) return [];
  const { trigger, merge } = occurrence;
  const contents = await occurrence.each();
  if (occurrence.summary === undefined || contents.length < 2) {
    return contents.map((content) => ({ trigger, content, rules: matching, merge }));
  }
  const [programs, people] = [
    matching.filter(({ kind }) => TAKES_EACH[kind]),
    matching.filter(({ kind }) => !TAKES_EACH[kind]),
  ];
  return [
    ...(programs.length === 0
      ? []
      : contents.map((content) => ({ trigger, content, rules: programs, merge }))),
    ...(people.length === 0
      ? []
      : [{ trigger, content: occurrence.summary(contents), rules: people, merge }]),
  ];
}

type EventRow = Tables["notification_events"];
type WaitingRow = Omit<
  Tables["notification_deliveries"],
  "is_example" | "attempts" | "leased_by" | "leased_until" | "outcome" | "merged_into"
>;

/** Up to this many deliveries, nearly all events, use prepared statements. */
const A_FEW = 10;

async function insert(
  db: Database,
  events: readonly EventRow[],
  waiting: readonly WaitingRow[],
): Promise<void> {
  await together(
    waiting.length > A_FEW
      ? [insertRows(db, "notification_events", events), insertRows(db, "notification_deliveries", waiting)]
      : [
          ...events.map((event) => insertEvent(db, event)),
          ...waiting.map((delivery) => insertDelivery(db, delivery)),
        ],
  );
}

const insertEvent = prepared((db, given: Given<EventRow>) =>
  db.insertInto("notification_events").values({
    id: given("id"),
    org_id: given("org_id"),
    number: given("number"),
    event_trigger: given("event_trigger"),
    payload: given("payload"),
    created_at: given("created_at"),
  }),
);

const insertDelivery = prepared((db, given: Given<WaitingRow>) =>
  db.insertInto("notification_deliveries").values({
    id: given("id"),
    org_id: given("org_id"),
    event_id: given("event_id"),
    action_id: given("action_id"),
    target_id: given("target_id"),
    state: given("state"),
    due_at: given("due_at"),
    created_at: given("created_at"),
    ended_at: given("ended_at"),
    merge_key: given("merge_key"),
  }),
);

/** Locks the organization until commit, so that numbers follow the order of commits. */
export const takeNumbers = prepared((db, given: Given<{ orgId: string; count: number }>) =>
  db
    .updateTable("organizations")
    .set((eb) => ({ last_event_number: eb("last_event_number", "+", given("count")) }))
    .where("id", "=", given("orgId"))
    .returning("last_event_number as last"),
);

export function frame(trigger: Trigger, org: Organization, now: number) {
  return {
    version: "1.0",
    type: TYPES[trigger],
    event_type: trigger.replace(/^ON_/, ""),
    timestamp: String(Math.floor(now)),
    org: org.name,
  };
}
