import type { RepoInfo } from "../../../api/resources/provenance.ts";
import { appendArtifactEvent } from "../../artifacts/append-event.ts";
import { judgeTrail } from "../../compliance-status/judge-trail.ts";
import { SOLE_ARTIFACT } from "../../judging/compliance/template.ts";
import { Invalid, NotFound } from "../../kernel/errors.ts";
import type { RequestContext } from "../../kernel/request-context.ts";
import { recordOrigin } from "../../origins/record-origin.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import type { Flow } from "../flows/records.ts";
import type { Said } from "../origins/compare.ts";
import { captureRepo } from "../repos/records.ts";

/** An artifact as it is reported. */
export interface ReportedArtifact {
  fingerprint: string;
  filename: string;
  templateName: string | null;
  commitSha: string | null;
  /** The branch that its commit was made on. */
  branch: string | null;
  isCompliant: boolean | null;
  buildUrl: string;
  commitUrl: string;
  repoUrl: string | null;
  repoInfo: RepoInfo | null | undefined;
  /** Where it says that it comes from. */
  said: Said;
  /** The fields that are only ever shown, as JSON. */
  details: string;
}

/** A report that was recorded. */
export interface AddedArtifact {
  id: string;
  /** The name that it goes by in the template. */
  name: string;
  /** Its trail as it left it, when it is in one. */
  trail: TrailRecords | undefined;
}

/** Records one more report of an artifact, in a trail or, without one, in the flow alone. */
export async function addArtifact(
  db: Database,
  { flow, trail }: { flow: Flow; trail: TrailRecords | undefined },
  artifact: ReportedArtifact,
  requestContext: RequestContext,
): Promise<AddedArtifact> {
  const { orgId, accountName, now } = requestContext;
  const repoId = await captureRepo(db, { info: artifact.repoInfo, trailId: trail?.id }, requestContext);
  const asked = (trail ?? flow).template.artifacts;
  const soleName = asked.some(({ name }) => name === SOLE_ARTIFACT) ? SOLE_ARTIFACT : null;
  const templateName = artifact.templateName ?? soleName;
  const id = newId();
  const { sequence } = await db
    .insertInto("artifacts")
    .values({
      id,
      org_id: orgId,
      flow_id: flow.id,
      trail_id: trail?.id ?? null,
      fingerprint: artifact.fingerprint,
      filename: artifact.filename,
      template_name: templateName,
      commit_sha: artifact.commitSha,
      branch: artifact.branch,
      is_compliant: artifact.isCompliant === null ? null : Number(artifact.isCompliant),
      build_url: artifact.buildUrl,
      commit_url: artifact.commitUrl,
      repo_url: artifact.repoUrl,
      repo_id: repoId,
      details: artifact.details,
      created_by: accountName,
      created_at: now,
    })
    .returning("sequence")
    .executeTakeFirstOrThrow();
  const { fingerprint, filename, commitSha, isCompliant: declaredCompliant } = artifact;
  const added = { id, name: templateName ?? filename };
  const fact = { sequence, id, fingerprint, filename, templateName, commitSha, declaredCompliant };
  await recordOrigin(db, requestContext, { kind: "artifact", id, said: artifact.said, repoId });
  if (!trail) return { ...added, trail };
  await appendArtifactEvent(db, { ...artifact, id, templateName, repoId, trailId: trail.id }, now);
  const records = { ...trail, artifacts: [...trail.artifacts, { ...fact, verdict: null }] };
  return { ...added, trail: await judgeTrail(db, records, now) };
}

/**
 * The full fingerprint that a prefix stands for among the artifacts of a flow.
 *
 * @throws NotFound when there is none, Invalid when there are several
 */
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
    // In hex, nothing that starts with the prefix comes after the prefix and a `g`.
    .where("fingerprint", "<", `${prefix}g`)
    .execute();
  const [first] = matches;
  if (!first) throw unknownArtifact(orgName, flow.name, prefix);
  if (matches.length > 1) {
    throw new Invalid(
      `Fingerprint prefix '${prefix}' matches ${matches.length} artifacts: give more characters`,
    );
  }
  return first.fingerprint;
}

export function unknownArtifact(orgName: string, flowName: string, fingerprint: string): NotFound {
  return new NotFound(
    `Artifact with fingerprint '${fingerprint}' does not exist in flow '${flowName}' belonging to organization '${orgName}'`,
  );
}
