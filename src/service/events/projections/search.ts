import { addTexts, documentOf, putDocument, replaceOwn } from "../../evidence/search/index/documents.ts";
import { textsOfArtifact, textsOfAttestation, textsOfTrail } from "../../evidence/search/index/texts.ts";
import type { Database } from "../../store/tables.ts";
import type { Projection, RecordedEvent } from "../types/event-types.ts";

/** Keeps the documents of the search. */
export const search: Projection = {
  "trail.begun": (db, { subject, data, by }) =>
    putDocument(
      db,
      { ...subjectOf(by.orgId, data.flow_id, subject.id), trailId: subject.id, createdAt: by.now },
      { own: textsOfTrail({ ...data, name: subject.name }), texts: [] },
    ),
  "trail.updated": async (db, { subject, data, by }) =>
    replaceOwn(
      db,
      subjectOf(by.orgId, data.flow_id, subject.id),
      await documentOf(db, subject.id),
      textsOfTrail({ ...data, name: subject.name }),
    ),
  "artifact.reported": (db, { subject, trailId, data, seen, by }) => {
    const texts = textsOfArtifact({ ...data, filename: subject.name });
    const of = subjectOf(by.orgId, data.flow_id, trailId ?? subject.id);
    const { document } = seen.place;
    return document
      ? addTexts(db, of, document, texts)
      : putDocument(db, { ...of, trailId: null, createdAt: by.now }, { own: [], texts });
  },
  "attestation.recorded": addAttestation,
  "attestation.overridden": addAttestation,
};

async function addAttestation(
  db: Database,
  { trailId, data, seen, by }: RecordedEvent<"attestation.recorded" | "attestation.overridden">,
): Promise<void> {
  const { document } = seen.place;
  if (document === undefined || !trailId) return;
  const texts = textsOfAttestation({ ...data, type: seen.latest.type, details: seen.details });
  await addTexts(db, subjectOf(by.orgId, data.flow_id, trailId), document, texts);
}

function subjectOf(orgId: string, flowId: string, recordId: string) {
  return { orgId, flowId, recordId };
}
