import { distinctNames, portableName } from "../../kernel/distinct-names.ts";
import { Damaged, NotFound } from "../../kernel/errors.ts";
import type { Handler } from "../../operation/handler.ts";
import { type Damage, sortedByCondition } from "../../store/blobs/checked-files.ts";
import { requireAttestation } from "../attestations/stored-in-trail.ts";
import { attachmentEntry, gzipTar, MANIFEST_NAME, manifest, textEntry } from "./package.ts";

const ARCHIVE_NAME = "evidence.tgz";

/** Sends one file unchanged, or several as a gzip tar. Modified files are never sent. A manifest lists missing files. */
export const downloadEvidence: Handler<"downloadEvidence"> = async (
  { org, params },
  { store, attachments },
) => {
  const {
    row,
    trailName,
    flowName,
    attachments: files,
  } = await store.readTogether((db) => requireAttestation(db, org, params));
  const [first, ...more] = files;
  if (!first) throw new NotFound("attachment.not_found", "This attestation has no evidence file attached.");
  const names = distinctNames([...files.map(({ name }) => name), MANIFEST_NAME]);
  const named = files.map((file, index) => ({ ...file, name: names[index] ?? file.sha256 }));
  if (more.length === 0) {
    const condition = await attachments.glance(first);
    if (condition !== "whole") throw damaged(first.name, condition);
    const content = attachments.contentOf(first.sha256);
    return { status: 200, body: { name: portableName(first.name), mediaType: first.mediaType, content } };
  }
  const found = await sortedByCondition(named, attachments);
  const { whole, changed, missing } = found;
  const [altered] = changed;
  if (altered) throw damaged(altered.name, "changed");
  if (whole.length === 0) throw damaged(first.name, "missing");
  const about = { org: org.name, flow: flowName, trail: trailName, attestation_id: row.id };
  // An attachment named `manifest.json` keeps its name.
  const note = { ...manifest(about, found), name: names.at(-1) ?? MANIFEST_NAME };
  const entries = whole.map(attachmentEntry(attachments));
  const content = gzipTar(
    missing.length > 0 ? [textEntry(note), ...entries] : entries,
    new Date(row.created_at * 1000),
  );
  return { status: 200, body: { name: ARCHIVE_NAME, mediaType: "application/gzip", content } };
};

const DAMAGES: Readonly<Record<Damage, string>> = {
  changed: "was modified in the service's storage, so it is not the attested file",
  missing: "is missing from the service's storage",
};

function damaged(name: string, damage: Damage): Damaged {
  return new Damaged(
    "attachment.damaged",
    `The attachment '${name}' ${DAMAGES[damage]}: restore it from a backup`,
  );
}
