import type { Enforcement } from "../../../../evidence/rego/decision-outcome.ts";
import { type PolicyFiles, policyDigest } from "../../../../evidence/rego/policy-files.ts";
import type { Organization, RequestContext } from "../../../kernel/caller.ts";
import { NotFound } from "../../../kernel/errors.ts";
import { listed } from "../../../store/dialect.ts";
import { newId } from "../../../store/ids.ts";
import type { Database, Tables } from "../../../store/tables.ts";

type PolicyRow = Tables["decision_policies"];
type VersionRow = Tables["decision_policy_versions"];

/** The content of a version, which never changes. */
export interface PolicyContent extends Enforcement {
  readonly description: string;
  readonly files: PolicyFiles;
}

/** A version of a decision policy, without its files. */
export interface PolicyVersion extends Omit<PolicyContent, "files"> {
  /** Id of the policy. */
  readonly id: string;
  readonly identifier: string;
  readonly archived: boolean;
  readonly version: number;
  readonly digest: string;
  readonly createdBy: string;
  readonly createdAt: number;
}

/**
 * Creates a policy or a version of it, unless the content is that of the latest version. Restores an archived policy.
 * Returns it `before` (if it existed) and `after`.
 */
export async function publish(
  db: Database,
  org: Organization,
  { identifier, ...content }: PolicyContent & { identifier: string },
  by: RequestContext,
): Promise<{ before: PolicyVersion | undefined; after: PolicyVersion }> {
  const before = await findPolicy(db, org.id, identifier);
  const digest = policyDigest(content.files);
  if (before && !before.archived && isSame(before, { ...content, digest })) return { before, after: before };
  const isNew = !before || !isSame(before, { ...content, digest });
  const { id, version } = await db
    .insertInto("decision_policies")
    .values({
      id: newId(),
      org_id: org.id,
      identifier,
      version: 1,
      created_by: by.accountName,
      created_at: by.now,
    })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "identifier"]).doUpdateSet(({ eb }) => ({
        version: eb("decision_policies.version", "+", Number(isNew)),
        archived_at: null,
      })),
    )
    .returning(["id", "version"])
    .executeTakeFirstOrThrow();
  if (isNew) await addVersion(db, { id, version }, { ...content, digest }, by);
  return { before, after: await requirePolicy(db, org, identifier) };
}

type Compared = Pick<PolicyVersion, "digest" | "description" | "warnOnly" | "effectiveFrom">;

function isSame(one: Compared, other: Compared): boolean {
  return (
    one.digest === other.digest &&
    one.description === other.description &&
    one.warnOnly === other.warnOnly &&
    one.effectiveFrom === other.effectiveFrom
  );
}

async function addVersion(
  db: Database,
  { id, version }: Pick<PolicyRow, "id" | "version">,
  { files, digest, description, warnOnly, effectiveFrom }: PolicyContent & { digest: string },
  { accountName, now }: RequestContext,
): Promise<void> {
  await db
    .insertInto("decision_policy_versions")
    .values({
      policy_id: id,
      version,
      description,
      files: JSON.stringify(files),
      digest,
      warn_only: Number(warnOnly),
      effective_from: effectiveFrom,
      created_by: accountName,
      created_at: now,
    })
    .execute();
}

export async function archive(db: Database, { id }: PolicyVersion, { now }: RequestContext): Promise<void> {
  await db.updateTable("decision_policies").set({ archived_at: now }).where("id", "=", id).execute();
}

/** Returns the version, or else the latest one, whether the policy is archived or not. @throws NotFound */
export async function requirePolicy(
  db: Database,
  org: Organization,
  identifier: string,
  version?: number,
): Promise<PolicyVersion> {
  const found = await findPolicy(db, org.id, identifier, version);
  if (!found)
    throw new NotFound("decision_policy.not_found", unknownPolicyText(org, { identifier, version }));
  return found;
}

export function unknownPolicyText(
  org: Organization,
  { identifier, version }: { identifier: string; version?: number | undefined },
): string {
  const which = version === undefined ? "Decision" : `Version ${version} of decision`;
  return `${which} policy '${identifier}' does not exist in organization '${org.name}'`;
}

/** Returns the version, or else the latest one, whether the policy is archived or not. */
export async function findPolicy(
  db: Database,
  orgId: string,
  identifier: string,
  version?: number,
): Promise<PolicyVersion | undefined> {
  const versions = versionsIn(db, orgId).where("policy.identifier", "=", identifier);
  const row = await (version === undefined
    ? versions.whereRef("published.version", "=", "policy.version")
    : versions.where("published.version", "=", version)
  ).executeTakeFirst();
  return row && asVersion(row);
}

/** Latest versions, sorted by identifier. */
export async function listPolicies(
  db: Database,
  orgId: string,
  { archived }: { archived: boolean },
): Promise<PolicyVersion[]> {
  const rows = await versionsIn(db, orgId)
    .whereRef("published.version", "=", "policy.version")
    .where("policy.archived_at", archived ? "is not" : "is", null)
    .orderBy("policy.identifier")
    .execute();
  return rows.map(asVersion);
}

/** All versions, newest first. */
export async function versionsOf(
  db: Database,
  orgId: string,
  { id }: PolicyVersion,
): Promise<PolicyVersion[]> {
  const rows = await versionsIn(db, orgId)
    .where("policy.id", "=", id)
    .orderBy("published.version", "desc")
    .execute();
  return rows.map(asVersion);
}

export async function filesOf(db: Database, { id, version }: PolicyVersion): Promise<PolicyFiles> {
  const { files } = await db
    .selectFrom("decision_policy_versions")
    .select("files")
    .where("policy_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return JSON.parse(files);
}

/** Identifiers of the controls that are bound to a policy, sorted. */
export async function controlsBoundTo(db: Database, orgId: string, identifier: string): Promise<string[]> {
  const rows = await db
    .selectFrom("controls")
    .select("identifier")
    .where("org_id", "=", orgId)
    .where("decision_policy", "=", identifier)
    .orderBy("identifier")
    .execute();
  return rows.map((control) => control.identifier);
}

/** The versions of these policies, as `IDENTIFIER@VERSION`, and the identifiers themselves. */
export async function knownReferences(
  db: Database,
  orgId: string,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  if (identifiers.length === 0) return new Set();
  const rows = await versionsIn(db, orgId).where("policy.identifier", "in", listed(identifiers)).execute();
  return new Set(rows.flatMap(({ identifier, version }) => [identifier, `${identifier}@${version}`]));
}

function versionsIn(db: Database, orgId: string) {
  return db
    .selectFrom("decision_policies as policy")
    .innerJoin("decision_policy_versions as published", "published.policy_id", "policy.id")
    .select(["policy.id", "policy.identifier", "policy.archived_at", "published.version"])
    .select(["published.description", "published.digest", "published.warn_only", "published.effective_from"])
    .select(["published.created_by", "published.created_at"])
    .where("policy.org_id", "=", orgId);
}

type Joined = Pick<PolicyRow, "id" | "identifier" | "archived_at"> & Omit<VersionRow, "policy_id" | "files">;

function asVersion(row: Joined): PolicyVersion {
  return {
    id: row.id,
    identifier: row.identifier,
    archived: row.archived_at !== null,
    version: row.version,
    description: row.description,
    digest: row.digest,
    warnOnly: row.warn_only === 1,
    effectiveFrom: row.effective_from,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
