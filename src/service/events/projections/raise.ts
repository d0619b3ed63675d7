import type {
  EnvironmentNotification,
  FlowNotification,
  NotificationType,
  OrganizationNotification,
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
  ON_STARTED_ARTIFACT: "artifact.started",
  ON_EXITED_ARTIFACT: "artifact.exited",
  ON_SCALED_ARTIFACT: "artifact.scaled",
  ON_ALLOWED_ARTIFACT: "artifact.allowed",
  ON_NON_COMPLIANT_ENV: "environment.non_compliant",
  ON_COMPLIANT_ENV: "environment.compliant",
  ON_EXPIRING_API_KEY: "api_key.expiring",
} as const satisfies Record<string, NotificationType>;

export type Trigger = keyof typeof TYPES;

type Frame = "version" | "type" | "event_type" | "timestamp" | "sequence" | "org";
export type FlowContent = Omit<FlowNotification, Frame>;
export type EnvironmentContent = Omit<EnvironmentNotification, Frame>;
export type OrganizationContent = Omit<OrganizationNotification, Frame>;
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
  occurrences: (notifier: Notifier) => readonly Occurrence[] | Promise<readonly Occurrence[]>,
): Promise<void> {
  if (notifier === undefined) return;
  const { org, deliveries } = notifier;
  const rules = known ?? (await rulesOf(db, org.id, type));
  if (rules.length === 0) return;
  const raised: Raised[] = [];
  for (const occurrence of await occurrences(notifier)) {
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
  const waiting = numbered.flatMap(({ id, rules: matching }) =>
    matching.map(({ action_id, target_id }) => ({
      id: newIdOf(now),
      org_id: org.id,
      event_id: id,
      action_id,
      target_id,
      state: "pending" as const,
      due_at: now,
      created_at: now,
    })),
  );
  await insert(db, events, waiting);
  deliveries.wake();
}

async function eventsOf(rules: readonly Rule[], occurrence: Occurrence): Promise<Raised[]> {
  const matching = rules.filter((rule) => isFor(rule, occurrence));
  if (matching.length === 0) return [];
  const { trigger } = occurrence;
  const contents = await occurrence.each();
  if (occurrence.summary === undefined || contents.length < 2) {
    return contents.map((content) => ({ trigger, content, rules: matching }));
  }
  const [programs, people] = [
    matching.filter(({ kind }) => TAKES_EACH[kind]),
    matching.filter(({ kind }) => !TAKES_EACH[kind]),
  ];
  return [
    ...(programs.length === 0 ? [] : contents.map((content) => ({ trigger, content, rules: programs }))),
    ...(people.length === 0 ? [] : [{ trigger, content: occurrence.summary(contents), rules: people }]),
  ];
}

type EventRow = Tables["notification_events"];
type WaitingRow = Omit<
  Tables["notification_deliveries"],
  "is_example" | "attempts" | "leased_by" | "leased_until" | "outcome" | "ended_at"
>;

/** Up to this many deliveries, nearly all events, use a prepared statement. */
const A_FEW = 10;

async function insert(
  db: Database,
  events: readonly EventRow[],
  waiting: readonly WaitingRow[],
): Promise<void> {
  const [event] = events;
  const insertDeliveries = events.length === 1 ? INSERTIONS[waiting.length] : undefined;
  if (event === undefined || insertDeliveries === undefined) {
    await insertRows(db, "notification_events", events);
    await insertRows(db, "notification_deliveries", waiting);
  } else {
    await together([insertEvent(db, event), insertDeliveries(db, waiting)]);
  }
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

type Placed = { [Column in keyof WaitingRow as `${Column}${number}`]: WaitingRow[Column] };

function insertionOf(count: number) {
  const places = Array.from({ length: count }, (_, place) => place);
  const insertion = prepared((db, given: Given<Placed>) =>
    db.insertInto("notification_deliveries").values(
      places.map((place) => ({
        id: given(`id${place}`),
        org_id: given(`org_id${place}`),
        event_id: given(`event_id${place}`),
        action_id: given(`action_id${place}`),
        target_id: given(`target_id${place}`),
        state: given(`state${place}`),
        due_at: given(`due_at${place}`),
        created_at: given(`created_at${place}`),
      })),
    ),
  );
  return (db: Database, rows: readonly WaitingRow[]) => {
    const entries = rows.flatMap((row, place) =>
      Object.entries(row).map(([column, value]) => [`${column}${place}`, value]),
    );
    return insertion(db, Object.fromEntries(entries));
  };
}

const INSERTIONS = Array.from({ length: A_FEW + 1 }, (_, count) =>
  count === 0 ? undefined : insertionOf(count),
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
