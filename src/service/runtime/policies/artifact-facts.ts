import { type FlowReport, latestAttestationsOfReports } from "../../evidence/compliance/latest-reports.ts";
import {
  controlsDecided,
  DECISION_TYPE,
  type DecidedControl,
  decisionsOf,
} from "../../evidence/controls/decisions.ts";
import { originsOf } from "../../evidence/origins/origins.ts";
import { tagsOf } from "../../evidence/tag-records.ts";
import { type AttestationFact, isAbout } from "../../judging/compliance/evaluate.ts";
import type {
  ArtifactInFlow,
  AttestedFact,
  DecisionFact,
  PolicySubject,
} from "../../judging/policies/evaluate-policy.ts";
import type { UserDataValues } from "../../judging/policies/expression.ts";
import { userDataValues } from "../../judging/policies/user-data.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { inSlices } from "../../kernel/slices.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";

export type ArtifactFacts = Pick<PolicySubject, "inFlows" | "decisions">;

interface Question {
  fingerprints: readonly string[];
  reports: readonly FlowReport[];
  /** Whether policies use origins. */
  withOrigins: boolean;
  /** Paths that policies read in the user data of attestations. */
  userDataPaths: readonly string[];
}

/**
 * Facts for policies, by fingerprint, without unknown artifacts. Uses a fixed number of queries for up to 5,000 artifacts.
 */
export async function artifactFacts(
  db: Database,
  orgId: string,
  { fingerprints, reports, ...used }: Question,
): Promise<Map<string, ArtifactFacts>> {
  const byFingerprint = Map.groupBy(reports, ({ fingerprint }) => fingerprint);
  const facts = await inSlices(fingerprints, async (slice) => {
    const theirs = slice.flatMap((fingerprint) => byFingerprint.get(fingerprint) ?? []);
    return factsOf(db, orgId, { fingerprints: slice, reports: theirs, ...used });
  });
  return new Map(facts);
}

async function factsOf(
  db: Database,
  orgId: string,
  { fingerprints, reports, withOrigins, userDataPaths }: Question,
): Promise<[string, ArtifactFacts][]> {
  const byTrail = await latestAttestationsOfReports(db, reports);
  const tags = await tagsOf(db, "flow", [...new Set(reports.map(({ flow }) => flow.id))]);
  const decisions = await decisionsOf(db, orgId, fingerprints);
  const inTrails = [...byTrail.values()].flat().filter(isDecisionInTrail);
  const controls = await controlsDecided(db, idsOf(inTrails));
  const ids = [...idsOf([...byTrail.values()].flat()), ...idsOf([...decisions.values()].flat())];
  const origins = await originsOf(db, "attestation", withOrigins ? ids : []);
  const reportIds = withOrigins ? idsOf(reports) : [];
  const originsOfReports = await originsOf(db, "artifact", reportIds);
  const userData = await userDataOf(db, ids, userDataPaths);
  const withRecord = <Fact extends { id: string }>(fact: Fact) => ({
    ...fact,
    origin: origins.get(fact.id),
    userData: userData.get(fact.id),
  });
  const attestationsOf = ({ trail }: FlowReport) => byTrail.get(trail?.id ?? "") ?? [];
  return [...Map.groupBy(reports, (report) => report.fingerprint)].map(([fingerprint, ofArtifact]) => [
    fingerprint,
    {
      inFlows: ofArtifact.map((report) => ({
        ...artifactInFlow(report, tags.get(report.flow.id) ?? {}, attestationsOf(report).map(withRecord)),
        origin: originsOfReports.get(report.id),
      })),
      decisions: [
        ...(decisions.get(fingerprint) ?? []),
        ...ofArtifact.flatMap((report) => decisionsInTrail(report, attestationsOf(report), controls)),
      ].map(withRecord),
    },
  ]);
}

/** The values at these paths, by attestation. Details may be large, so they are read only if a policy needs them. */
async function userDataOf(db: Database, ids: readonly string[], paths: readonly string[]) {
  if (paths.length === 0) return new Map<string, UserDataValues>();
  const rows = await db
    .selectFrom("attestations")
    .select(["id", "details"])
    .where("id", "in", listed(ids))
    .execute();
  return new Map(rows.map(({ id, details }) => [id, userDataValues(fieldsOf(details)["user_data"], paths)]));
}

/** Whether a fact is a decision about a trail or about template names. */
function isDecisionInTrail({ type, fingerprint }: AttestationFact): boolean {
  return type === DECISION_TYPE && fingerprint === null;
}

/**
 * Decisions about a report's artifact in its trail, including those about the trail. `controls` is keyed by
 * attestation id.
 */
function decisionsInTrail(
  report: FlowReport,
  attestations: readonly AttestationFact[],
  controls: ReadonlyMap<string, Pick<DecidedControl, "identifier" | "evaluatedBy">>,
): DecisionFact[] {
  return attestations.flatMap((attestation) => {
    const decided = controls.get(attestation.id);
    if (decided === undefined) return [];
    if (!isAboutTrail(attestation) && !isAbout(attestation, report)) return [];
    const { id, sequence, name, compliant } = attestation;
    const { identifier: control, evaluatedBy } = decided;
    return [{ id, sequence, control, name, compliant, evaluatedBy }];
  });
}

function isAboutTrail({ fingerprint, targets }: AttestationFact): boolean {
  return fingerprint === null && targets.length === 0;
}

function artifactInFlow(
  report: FlowReport,
  tags: Readonly<Record<string, string>>,
  attestations: readonly OriginalFact[],
): ArtifactInFlow {
  const { flow, trail, verdict } = report;
  return {
    flow: { name: flow.name, tags },
    trail: trail?.name ?? null,
    isLegacy: trail === null && flow.isLegacy,
    status: verdict.state,
    attestations: attestations.flatMap((attestation) => attested(attestation, report)),
  };
}

type OriginalFact = AttestationFact & Pick<AttestedFact, "origin" | "userData">;

function attested(attestation: OriginalFact, report: FlowReport): AttestedFact[] {
  const ofTrail = isAboutTrail(attestation);
  if (!ofTrail && !isAbout(attestation, report)) return [];
  const { sequence, name, type, compliant, origin, userData } = attestation;
  return [{ sequence, about: ofTrail ? "trail" : "artifact", name, type, compliant, origin, userData }];
}
