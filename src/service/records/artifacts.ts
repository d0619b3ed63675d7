import type { RepoInfo } from "../../api/provenance.ts";
import type { ArtifactFact } from "../compliance/evaluate.ts";
import { SOLE_ARTIFACT } from "../compliance/template.ts";
import { HttpError, notFound } from "../http-error.ts";
import { newId } from "../store/ids.ts";
import type { Database } from "../store/tables.ts";
import { noteArtifact } from "./artifact-event.ts";
import type { Flow } from "./flows.ts";
import type { Occasion } from "./occasion.ts";
import { captureRepo } from "./repos.ts";
import { linkRepo, type Trail, touchTrail } from "./trails.ts";

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
  /** The fields that are only ever shown, as JSON. */
  details: string;
}

/**
 * Records one more report of an artifact, in a trail or, without one, in the flow alone.
 *
 * @returns the name that it goes by in the template
 */
export async function addArtifact(
  db: Database,
  { flow, trail }: { flow: Flow; trail: Trail | undefined },
  artifact: ReportedArtifact,
  { orgId, accountName, now }: Occasion,
): Promise<string> {
  const repoId = await captureRepo(db, orgId, artifact.repoInfo, now);
  if (trail) await linkRepo(db, trail.id, repoId);
  const asked = (trail ?? flow).template.artifacts;
  const soleName = asked.some(({ name }) => name === SOLE_ARTIFACT) ? SOLE_ARTIFACT : null;
  const templateName = artifact.templateName ?? soleName;
  const id = newId();
  await db
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
    .execute();
  if (trail) {
    await noteArtifact(db, { ...artifact, id, templateName, repoId, trailId: trail.id }, now);
    await touchTrail(db, trail.id, now);
  }
  return templateName ?? artifact.filename;
}

/** Whether an artifact was reported to a trail. */
export async function isInTrail(db: Database, trailId: string, fingerprint: string): Promise<boolean> {
  const row = await db
    .selectFrom("artifacts")
    .select("id")
    .where("trail_id", "=", trailId)
    .where("fingerprint", "=", fingerprint)
    .executeTakeFirst();
  return row !== undefined;
}

/** The names by which an artifact was reported to a trail. */
export async function namesInTrail(db: Database, trailId: string, fingerprint: string): Promise<string[]> {
  const rows = await db
    .selectFrom("artifacts")
    .select(["template_name", "filename"])
    .where("trail_id", "=", trailId)
    .where("fingerprint", "=", fingerprint)
    .execute();
  return [...new Set(rows.map(({ template_name, filename }) => template_name ?? filename))];
}

/**
 * Those of some artifacts, by their names in the template, that were reported to a trail, but not at this commit.
 * `isAbout` in `compliance/evaluate.ts` says what a claim by name counts for.
 */
export async function namesAtOtherCommits(
  db: Database,
  trailId: string,
  { artifacts, commitSha }: { artifacts: readonly string[]; commitSha: string | undefined },
): Promise<string[]> {
  if (artifacts.length === 0) return [];
  const reported = await db
    .selectFrom("artifacts")
    .select(["template_name", "commit_sha"])
    .distinct()
    .where("trail_id", "=", trailId)
    .where("template_name", "in", artifacts)
    .execute();
  const isHere = (name: string) =>
    reported.some(({ template_name, commit_sha }) => template_name === name && commit_sha === commitSha);
  return artifacts.filter(
    (name) => reported.some(({ template_name }) => template_name === name) && !isHere(name),
  );
}

/**
 * The full fingerprint that a prefix stands for among the artifacts of a flow.
 *
 * @throws HttpError 404 when there is none, 400 when there are several
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
    throw new HttpError(
      400,
      `Fingerprint prefix '${prefix}' matches ${matches.length} artifacts: give more characters`,
    );
  }
  return first.fingerprint;
}

export function unknownArtifact(orgName: string, flowName: string, fingerprint: string): HttpError {
  return notFound(
    `Artifact with fingerprint '${fingerprint}' does not exist in flow '${flowName}' belonging to organization '${orgName}'`,
  );
}

/** A stored report, as far as compliance needs it. */
export function artifactFact(row: {
  sequence: number;
  id: string;
  fingerprint: string;
  filename: string;
  template_name: string | null;
  commit_sha: string | null;
  is_compliant: number | null;
}): ArtifactFact {
  return {
    sequence: row.sequence,
    id: row.id,
    fingerprint: row.fingerprint,
    filename: row.filename,
    templateName: row.template_name,
    commitSha: row.commit_sha,
    declaredCompliant: row.is_compliant === null ? null : row.is_compliant === 1,
  };
}
