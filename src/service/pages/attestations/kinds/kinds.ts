import type { AttestationRecord } from "../../../../api/attestation-record.ts";
import { jira } from "./jira.ts";
import { junit } from "./junit.ts";
import { custom, decision, generic, override } from "./others.ts";
import { pullRequests } from "./pull-requests.ts";
import type { ShowKind } from "./sections.ts";
import { snyk } from "./snyk.ts";
import { sonar } from "./sonar.ts";

const KINDS: Readonly<Record<string, ShowKind>> = {
  generic,
  junit,
  snyk,
  sonar,
  jira,
  override,
  pull_request: pullRequests,
  "system:decision": decision,
};

/** How an attestation is shown: by its type, and what only says its data as data. */
export function kindOf({ attestationType }: Pick<AttestationRecord, "attestationType">): ShowKind {
  const known = KINDS[attestationType];
  if (known !== undefined) return known;
  return /^(custom|system):/.test(attestationType) ? custom : generic;
}
