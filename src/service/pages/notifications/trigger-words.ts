import {
  ENVIRONMENT_TRIGGERS,
  FLOW_TRIGGERS,
  ORGANIZATION_TRIGGERS,
} from "../../../api/resources/notifications.ts";

export const RULE_TYPES = ["flow", "env", "org"] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** The triggers of each type of rule, changes of a result first. */
const TRIGGERS_BY_TYPE = {
  flow: [...FLOW_TRIGGERS.slice(5), ...FLOW_TRIGGERS.slice(0, 5)],
  env: ENVIRONMENT_TRIGGERS.toReversed(),
  org: ORGANIZATION_TRIGGERS,
} as const;

type Trigger = (typeof TRIGGERS_BY_TYPE)[RuleType][number];

const WORDS: Readonly<Record<Trigger, string>> = {
  ON_COMPLIANT_TRAIL: "trail becomes compliant",
  ON_NON_COMPLIANT_TRAIL: "trail becomes non-compliant",
  ON_INCOMPLETE_TRAIL: "trail stays incomplete for 10 minutes",
  ON_REFUSED_GATE: "gate refuses an artifact",
  ON_APPROVAL_NEEDED: "approval needed",
  ON_STARTED_TRAIL: "trail begins",
  ON_ATTESTED_PROVENANCE: "artifact reported",
  ON_ATTESTATION: "attestation recorded",
  ON_APPROVAL: "approval recorded",
  ON_RELEASE: "artifact approved",
  ON_STARTED_ARTIFACT: "artifact starts",
  ON_EXITED_ARTIFACT: "artifact stops",
  ON_SCALED_ARTIFACT: "number of instances changes",
  ON_ALLOWED_ARTIFACT: "artifact allowed",
  ON_NON_COMPLIANT_ENV: "environment becomes non-compliant",
  ON_COMPLIANT_ENV: "environment becomes compliant",
  ON_EXPIRING_API_KEY: "API key expires soon",
  ON_EXPIRING_SCIM_TOKEN: "SCIM token expires soon",
  ON_EXPIRING_ADMISSION_WEBHOOK: "admission webhook expires soon",
};

const wordsByName: ReadonlyMap<string, string> = new Map(Object.entries(WORDS));

export function triggerWord(trigger: string): string {
  return wordsByName.get(trigger) ?? trigger;
}

/** The triggers of a rule in words. No trigger means all. */
export function triggerWords(triggers: readonly string[]): string {
  return triggers.length === 0 ? "all events" : triggers.map(triggerWord).join(", ");
}

/** The triggers that a rule of a type can have. */
export function triggersOf(type: string): readonly Trigger[] {
  if (type === "env") return TRIGGERS_BY_TYPE.env;
  return type === "org" ? TRIGGERS_BY_TYPE.org : TRIGGERS_BY_TYPE.flow;
}

const SUBJECTS: Readonly<Record<string, string>> = {
  flow: "flows",
  env: "environments",
  org: "the organization",
};

export function ruleSubject(type: string): string {
  return SUBJECTS[type] ?? type;
}
