import { hash } from "node:crypto";
import type { RepoInfo } from "../../../api/resources/provenance.ts";
import { evaluateTrail } from "../../events/projections/compliance.ts";
import { record } from "../../events/record.ts";
import { SOLE_ARTIFACT } from "../../judging/compliance/template.ts";
import type { ActContext } from "../../kernel/caller.ts";
import { Invalid, NotFound } from "../../kernel/errors.ts";
import { newIdOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import type { Flow } from "../flows/records.ts";
import type { StatedOrigin } from "../origins/compare.ts";
import { captureRepo } from "../repos/records.ts";
import type { OpenTrail } from "../trails/open-trail.ts";

export interface ReportedArtifact {
  fingerprint: string;
  filename: string;
  templateName: string | null;
  commitSha: string | null;
  branch: string | null;
  isCompliant: boolean | null;
  buildUrl: string;
  commitUrl: string;
  repoUrl: string | null;
  repoInfo: RepoInfo | null | undefined;
  /** JSON in wire names. */
  gitCommitInfo: string | null;
  stated: StatedOrigin;
  /** Fields that are only displayed, as JSON. */
  details: string;
}

interface Place {
  flow: Flow;
  /** Undefined for a report without a trail. */
  trail: (Pick<OpenTrail, "trail" | "source" | "rules" | "document"> & { name: string }) | undefined;
}

/** @returns its name in the template */
export async function addArtifact(
  db: Database,
  { flow, trail: place }: Place,
  artifact: ReportedArtifact,
  by: ActContext,
): Promise<string> {
  const { orgId, accountName, now } = by;
  const trail = place?.trail;
  const repo = await captureRepo(db, { info: artifact.repoInfo, trailId: trail?.id }, by);
  const required = (trail ?? flow).template.artifacts;
  const soleName = required.some(({ name }) => name === SOLE_ARTIFACT) ? SOLE_ARTIFACT : null;
  const templateName = artifact.templateName ?? soleName;
  const { fingerprint, filename, commitSha, isCompliant: declaredCompliant } = artifact;
  const id = newIdOf(now);
  const row = {
    fingerprint,
    flow_id: flow.id,
    template_name: templateName,
    commit_sha: commitSha,
    build_url: artifact.buildUrl,
    commit_url: artifact.commitUrl,
    repo_url: artifact.repoUrl,
    repo_id: repo?.id ?? null,
  };
  const { sequence } = await db
    .insertInto("artifacts")
    .values(({ eb, exists, lit, selectFrom }) => ({
      ...row,
      is_build: eb
        .case()
        .when(
          exists(
            selectFrom("artifacts as earlier")
              .select("earlier.sequence")
              .where("earlier.org_id", "=", orgId)
              .where("earlier.fingerprint", "=", fingerprint),
          ),
        )
        .then(lit(0))
        .else(lit(1))
        .end(),
      id,
      org_id: orgId,
      trail_id: trail?.id ?? null,
      filename,
      branch: artifact.branch,
      is_compliant: declaredCompliant === null ? null : Number(declaredCompliant),
      details: artifact.details,
      created_by: accountName,
      created_at: now,
    }))
    .returning("sequence")
    .executeTakeFirstOrThrow();
  const fact = { sequence, id, fingerprint, filename, templateName, commitSha, declaredCompliant };
  const evaluation =
    trail && evaluateTrail({ ...trail, artifacts: [...trail.artifacts, { ...fact, verdict: null }] });
  const reportedTo = place &&
    evaluation && { name: place.name, records: evaluation.after, source: place.source };
  await record(db, by, {
    type: "artifact.reported",
    subject: { id, name: filename },
    trailId: trail?.id,
    data: {
      ...row,
      is_compliant: declaredCompliant,
      git_commit_info: artifact.gitCommitInfo,
      details: hash("sha256", artifact.details),
    },
    seen: {
      place: { ...place, flow, trail: reportedTo },
      evaluation,
      stated: artifact.stated,
      linked: repo ? [repo.shown] : [],
    },
  });
  return templateName ?? filename;
}

/** The full fingerprint for a prefix. @throws NotFound, or Invalid for an ambiguous prefix */
export async function resolveFingerprint(
  db: Database,
  { orgName, flow, prefix }: { orgName: string; flow: Flow; prefix: string },
): Promise<string> {
  const matches = await db
    .selectFrom("artifacts")
    .select("fingerprint")
    .distinct()
    .where("flow_id", "=", flow.id)
    .where("fingerprint", ">=", prefix)
    // Hex digits sort before `g`.
    .where("fingerprint", "<", `${prefix}g`)
    .execute();
  const [first] = matches;
  if (!first) throw unknownArtifact(orgName, flow.name, prefix);
  if (matches.length > 1) {
    throw new Invalid(
      "artifact.ambiguous",
      `Fingerprint prefix '${prefix}' matches ${matches.length} artifacts: give more characters`,
    );
  }
  return first.fingerprint;
}

export function unknownArtifact(orgName: string, flowName: string, fingerprint: string): NotFound {
  return new NotFound(
    "artifact.not_found",
    `Artifact with fingerprint '${fingerprint}' does not exist in flow '${flowName}' belonging to organization '${orgName}'`,
  );
}
