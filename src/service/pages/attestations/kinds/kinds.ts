import type { AttestationRecord } from "../../../../api/resources/attestation-record.ts";
import { custom } from "../custom.ts";
import type { ShowKind } from "../kind.ts";
import { pullRequests } from "../pull-requests.ts";
import { jira } from "./jira.ts";
import { junit } from "./junit.ts";
import { decision, generic, override } from "./others.ts";
import { snyk } from "./snyk.ts";
import { sonar } from "./sonar.ts";

const KINDS: Readonly<Record<string, ShowKind>> = {
  generic,
  junit,
  snyk,
  sonar,
  jira,
  pull_request: pullRequests,
  "system:decision": decision,
};

/** Whether an attestation replaces the verdict of another one, or of one that was asked for and never made. */
export function isOverride({ originalAttestationType }: AttestationRecord): boolean {
  return originalAttestationType !== undefined && originalAttestationType !== null;
}

/** How an attestation is shown: by its type, and what only says its data as data. */
export function kindOf(record: AttestationRecord): ShowKind {
  if (isOverride(record)) return override;
  const { attestationType } = record;
  const known = KINDS[attestationType];
  if (known !== undefined) return known;
  return /^(custom|system):/.test(attestationType) ? custom : generic;
}
