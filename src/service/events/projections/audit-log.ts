import { type Act as AuditedAct, resourceTypeOf } from "../../../api/resources/audit-log.ts";
import type { ActContext } from "../../kernel/caller.ts";
import { appendEntry } from "../../store/audit-chain.ts";
import { newIdOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { type Changes, changesBetween, NOTHING, type State } from "../changes.ts";
import { acts as actSchemas } from "../types/act.ts";
import {
  type ActType,
  EVENT_TYPES,
  type Projection,
  type RecordedEvent,
  type SubjectOfAct,
} from "../types/event-types.ts";

interface Entry {
  readonly act: AuditedAct;
  readonly subject: SubjectOfAct;
  readonly details?: State | undefined;
  readonly changes?: Changes | undefined;
}

async function addEntry(
  db: Database,
  { orgId, accountName, keyId, address, requestId, now }: ActContext,
  { act, subject, details = {}, changes = {} }: Entry,
): Promise<void> {
  await appendEntry(db, {
    id: newIdOf(now),
    org_id: orgId,
    created_at: now,
    act,
    account: accountName,
    api_key_id: keyId,
    address,
    request_id: requestId,
    resource_type: resourceTypeOf(act),
    resource_name: subject.name,
    resource_id: subject.id ?? null,
    details: JSON.stringify(shortened(details)),
    changes: JSON.stringify(shortenedValues(changes)),
  });
}

/** Each value is shortened, but no field is left out. */
function shortenedValues(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [
      field,
      { from: shortened(from), to: shortened(to) },
    ]),
  );
}

function addAct(db: Database, { type, subject, data, by }: RecordedEvent<ActType>): Promise<void> {
  return addEntry(db, by, { act: type, subject, ...data });
}

/** Event types whose data is an act: the audit log shows it as it is. */
const acts: Projection = Object.fromEntries(
  Object.entries(EVENT_TYPES)
    .filter(([, schema]) => actSchemas.has(schema))
    .map(([type]) => [type, addAct]),
);

export const auditLog: Projection = {
  ...acts,
  // The first state of a trail is evidence. A change of its template is an act.
  "trail.updated": async (db, { subject, data: { flow, template_sha256 }, by }) => {
    const changes = { template_sha256 };
    if (template_sha256.from === template_sha256.to) return;
    await addEntry(db, by, { act: "trail.template_changed", subject, details: { flow }, changes });
  },
  "attestation.overridden": (db, { subject, data, by }) =>
    addEntry(db, by, {
      act: "attestation.overridden",
      subject: { name: subject.name, id: data.overridden_id },
      details: {
        flow: data.flow,
        trail: data.trail,
        artifact_fingerprint: data.artifact?.fingerprint ?? null,
        attestation_type: data.type,
        reason: data.reason,
      },
      changes: changesBetween({ is_compliant: data.was_compliant }, { is_compliant: data.is_compliant }),
    }),
  "approval.recorded": (db, { subject, data, by }) => {
    const { artifact_fingerprint, artifact_name, environment, state } = data;
    const details = { artifact_fingerprint, artifact_name, environment };
    const changes = changesBetween(NOTHING, { state });
    return addEntry(db, by, { act: "approval.recorded", subject, details, changes });
  },
};

/** Longer texts are cut: the log names the change, not all of its content. */
const MAX_CHARACTERS = 1_000;
const MAX_ITEMS = 100;

function shortened(value: unknown): unknown {
  if (typeof value === "string") return shortText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shortened);
    return value.length > MAX_ITEMS ? [...items, moreThan(value.length)] : items;
  }
  const entries = Object.entries(value);
  const fields = entries.slice(0, MAX_ITEMS).map(([field, item]) => [field, shortened(item)]);
  return Object.fromEntries(
    entries.length > MAX_ITEMS ? [...fields, ["…", moreThan(entries.length)]] : fields,
  );
}

function moreThan(count: number): string {
  return `… and ${count - MAX_ITEMS} more`;
}

function shortText(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  // Databases reject half of a surrogate pair.
  return `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
