import { type OpenTrail, openTrail, type Place, requireOpenTrail } from "../evidence/trails/open-trail.ts";
import { Invalid, NotFound } from "../kernel/errors.ts";
import type { Organization } from "../kernel/organization.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { Database } from "../store/tables.ts";

/** What an attestation says of what it is about. */
interface Binding {
  artifactFingerprint?: string | null | undefined;
  targetArtifacts?: readonly string[] | null | undefined;
  gitCommitInfo?: { sha1: string } | null | undefined;
}

/**
 * An attestation for artifacts by their names needs a fingerprint, or the commit that tells which build is meant.
 *
 * @throws Invalid
 */
export function requireBinding({ artifactFingerprint, targetArtifacts, gitCommitInfo }: Binding): void {
  if (!targetArtifacts?.length || artifactFingerprint || gitCommitInfo) return;
  throw new Invalid(
    `An attestation for artifact '${targetArtifacts.join("', '")}' requires at least one of: artifact_fingerprint or git_commit_info.`,
  );
}

/**
 * The trail that an attestation goes to. It and its flow are made when they do not exist, unless the attestation needs
 * another before it; an artifact that the attestation names by fingerprint must have been reported to it.
 *
 * @throws NotFound
 */
export async function trailToAttest(
  db: Database,
  {
    org,
    flowName,
    trailName,
    artifactFingerprint,
    mayBegin,
    found,
  }: Binding & {
    org: Organization;
    flowName: string;
    trailName: string;
    mayBegin: boolean;
    found: Place | undefined;
  },
  requestContext: RequestContext,
): Promise<OpenTrail> {
  const names = { flowName, trailName };
  const place = mayBegin
    ? await openTrail(db, names, requestContext, found)
    : await requireOpenTrail(db, org, names, found);
  const isReported = place.trail.artifacts.some(({ fingerprint }) => fingerprint === artifactFingerprint);
  if (artifactFingerprint && !isReported) {
    throw new NotFound(
      `Artifact with fingerprint ${artifactFingerprint} does not exist in trail "${trailName}" of flow "${flowName}" belonging to organization "${org.name}"`,
    );
  }
  return place;
}
