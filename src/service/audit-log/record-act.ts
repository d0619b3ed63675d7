import { type Act, resourceTypeOf } from "../../api/resources/audit-log.ts";
import { type Changes, changesBetween, isChanged, type State } from "../events/changes.ts";
import type { ActContext } from "../kernel/request-context.ts";
import { appendEntry } from "../store/audit-chain.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import { shortened } from "./shortened.ts";

/** What an act is done to. */
interface Resource {
  /** The name that it had before the act. */
  readonly name: string;
  /** What it goes by when its name changes. */
  readonly id?: string | null;
}

/** Something that was done, as the audit log tells it. Names of fields are those of the wire. No value is a secret. */
interface Done {
  readonly act: Act;
  readonly resource: Resource;
  /** What else is to be known. */
  readonly details?: State;
  readonly changes?: Changes;
}

/**
 * Adds an act to the audit log of an organization. It is part of the transaction that does it: what fails leaves no
 * entry, and nothing is done without one.
 *
 * @example
 * await recordAct(db, context, { act: "flow.archived", resource: { name: flow.name, id: flow.id } });
 */
export async function recordAct(
  db: Database,
  { orgId, accountName, keyId, address, requestId, now }: ActContext,
  { act, resource, details = {}, changes = {} }: Done,
): Promise<void> {
  await appendEntry(db, {
    id: newId(),
    org_id: orgId,
    created_at: now,
    act,
    account: accountName,
    api_key_id: keyId,
    address,
    request_id: requestId,
    resource_type: resourceTypeOf(act),
    resource_name: resource.name,
    resource_id: resource.id ?? null,
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

interface Changed extends Omit<Done, "changes"> {
  readonly before: State;
  readonly after: State;
}

/** Adds to the audit log what was changed about something; nothing when nothing was. */
export async function recordChange(
  db: Database,
  context: ActContext,
  { before, after, ...done }: Changed,
): Promise<void> {
  const changes = changesBetween(before, after);
  if (isChanged(changes)) await recordAct(db, context, { ...done, changes });
}
