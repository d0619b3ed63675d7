import {
  type EnvironmentContent,
  type FlowContent,
  frame,
  type OrganizationContent,
  type Trigger,
  TYPES,
  takeNumbers,
} from "../../events/projections/raise.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { Links } from "../../kernel/links.ts";
import { insertRows } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import type { StoredAction } from "./records.ts";
import type { TargetRow } from "./targets.ts";

interface Raising {
  readonly org: Organization;
  readonly action: StoredAction;
  readonly targets: readonly TargetRow[];
  readonly links: Links;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Creates an example of the rule's first trigger with its deliveries, which count as failed until they arrive. The
 * calling function must send them, because the schedule does not. @returns their ids in the order of the targets
 */
export async function raiseExample(
  db: Database,
  { org, action, targets, links, now }: Raising,
): Promise<readonly string[]> {
  const trigger = firstTriggerOf(action);
  const [taken] = await takeNumbers(db, { orgId: org.id, count: 1 });
  if (!taken) throw new Error(`Organization '${org.id}' was not found`);
  const example = exampleOf(action, trigger, { org, links, now });
  const payload = { ...frame(trigger, org, now), test: true, ...example };
  const event = { id: newId(), org_id: org.id, number: taken.last, event_trigger: trigger, created_at: now };
  const rows = targets.map((target) => ({
    id: newId(),
    org_id: org.id,
    event_id: event.id,
    action_id: action.id,
    target_id: target.id,
    state: "failed" as const,
    is_example: 1,
    due_at: null,
    created_at: now,
    ended_at: now,
  }));
  await insertRows(db, "notification_events", [{ ...event, payload: JSON.stringify(payload) }]);
  await insertRows(db, "notification_deliveries", rows);
  return rows.map(({ id }) => id);
}

function firstTriggerOf({ type, triggers }: StoredAction): Trigger {
  const [first]: string[] = JSON.parse(triggers);
  return TRIGGERS.find((each) => each === first) ?? firstOfType(type);
}

function firstOfType(type: string): Trigger {
  if (type === "flow") return "ON_STARTED_TRAIL";
  return type === "env" ? "ON_STARTED_ARTIFACT" : "ON_EXPIRING_API_KEY";
}

const TRIGGERS = Object.keys(TYPES).filter((each): each is Trigger => each in TYPES);

/** Name in examples. It does not refer to a record. */
const EXAMPLE = "example";
const FINGERPRINT = "0".repeat(64);
const ARTIFACT = { name: EXAMPLE, fingerprint: FINGERPRINT };
const ID = "00000000-0000-0000-0000-00000000";

interface Described extends Pick<Raising, "org" | "links" | "now"> {
  readonly description: string;
}

function exampleOf(action: StoredAction, trigger: Trigger, around: Omit<Described, "description">) {
  const described = {
    ...around,
    description: `A test of the notification rule '${action.name}'. No real event occurred.`,
  };
  if (action.type === "flow") return flowExample(nameIn(action.flows), trigger, described);
  if (action.type === "env") return environmentExample(nameIn(action.environments), trigger, described);
  return organizationExample(trigger, described);
}

function nameIn(column: string): string {
  const [first = EXAMPLE]: string[] = JSON.parse(column);
  return first;
}

function flowExample(flow: string, trigger: Trigger, { org, links, description }: Described): FlowContent {
  const isAboutArtifact =
    trigger === "ON_ATTESTED_PROVENANCE" || trigger === "ON_REFUSED_GATE" || isAboutApproval(trigger);
  const state = exampleState(trigger);
  return {
    description,
    reasons: state === "COMPLIANT" ? [] : ["An example of a reason"],
    flow: { name: flow, html_url: links.flow(org.name, flow) },
    trail: { name: EXAMPLE, compliance_state: state, html_url: links.trail(org.name, flow, EXAMPLE) },
    ...(isAboutArtifact && {
      artifact: { ...ARTIFACT, html_url: links.artifact(org.name, flow, FINGERPRINT, ID) },
    }),
    ...(trigger === "ON_ATTESTATION" && {
      attestation: {
        ...{ attestation_id: ID, name: EXAMPLE, type: "generic", is_compliant: true },
        html_url: links.attestation(org.name, flow, EXAMPLE, ID),
      },
    }),
    ...(trigger === "ON_REFUSED_GATE" && { gate: { environment: null, policies: [EXAMPLE] } }),
    ...(isAboutApproval(trigger) && {
      approval: { number: 1, state: trigger === "ON_RELEASE" ? "APPROVED" : "PENDING" },
    }),
  };
}

function isAboutApproval(trigger: Trigger): boolean {
  return trigger === "ON_APPROVAL" || trigger === "ON_RELEASE" || trigger === "ON_APPROVAL_NEEDED";
}

function exampleState(trigger: Trigger) {
  if (trigger === "ON_INCOMPLETE_TRAIL") return "INCOMPLETE";
  return trigger === "ON_NON_COMPLIANT_TRAIL" || trigger === "ON_REFUSED_GATE"
    ? "NON-COMPLIANT"
    : "COMPLIANT";
}

function environmentExample(
  environment: string,
  trigger: Trigger,
  { org, links, description }: Described,
): EnvironmentContent {
  const isOfEnvironment = trigger === "ON_NON_COMPLIANT_ENV" || trigger === "ON_COMPLIANT_ENV";
  const isCompliant = trigger !== "ON_NON_COMPLIANT_ENV";
  return {
    description,
    reasons: isCompliant ? [] : ["An example of a reason"],
    environment,
    html_url: links.environment(org.name, environment),
    snapshot: {
      index: "1",
      status: isCompliant ? "compliant" : "non-compliant",
      html_url: links.snapshot(org.name, environment, 1),
      api_url: links.apiSnapshot(org.name, environment, 1),
    },
    ...(isOfEnvironment ? {} : { artifact: ARTIFACT }),
  };
}

const EXAMPLE_DAYS = 14;
const DAY = 24 * 60 * 60;

function organizationExample(
  trigger: Trigger,
  { org, links, now, description }: Described,
): OrganizationContent {
  const expiring = {
    id: ID,
    ...{ expires_at: Math.ceil(now) + EXAMPLE_DAYS * DAY, days_left: EXAMPLE_DAYS },
  };
  if (trigger === "ON_EXPIRING_ADMISSION_WEBHOOK") {
    const html_url = links.admissionWebhooks(org.name);
    const admission_webhook = { ...expiring, name: EXAMPLE, environment: EXAMPLE, html_url };
    return { description, reasons: [], admission_webhook };
  }
  const described = { ...expiring, description: EXAMPLE };
  if (trigger === "ON_EXPIRING_SCIM_TOKEN") {
    const html_url = links.scimTokens(org.name);
    return { description, reasons: [], scim_token: { ...described, provider: EXAMPLE, html_url } };
  }
  const html_url = links.account(org.name, EXAMPLE);
  return { description, reasons: [], api_key: { ...described, service_account: EXAMPLE, html_url } };
}
