import { InputError } from "../../api/errors.ts";
import type { FileToSend } from "../../api/operation.ts";
import type { ActionContext } from "../../github/action.ts";
import type { Table } from "../../github/summary.ts";
import { type Claim, commonFields } from "./claim.ts";
import type { ClaimValues } from "./inputs.ts";

/** What is sent of an attestation of whatever kind: where to, with which files, and the fields that all kinds have. */
export interface Parcel {
  readonly to: {
    readonly flowName: string;
    readonly trailName: string;
    readonly files: { readonly attachmentFile: readonly FileToSend[] };
  };
  readonly fields: ReturnType<typeof commonFields>;
  /** Names of the files. */
  readonly attachments: readonly string[];
  /** What there is to see of files that describe themselves. */
  readonly tables: readonly Table[];
}

/** @param reports the files that results were read from: paths as they were shown, each leading to its file again */
export async function pack(
  claim: Claim,
  context: ActionContext,
  reports: readonly string[] = [],
): Promise<Parcel> {
  const files = await collect(claim.values, reports, context);
  const { values, trail } = claim;
  const parcel = {
    to: { flowName: values.flow, trailName: trail, files: { attachmentFile: files } },
    attachments: files.map(({ name }) => name),
  };
  const fields = commonFields(claim);
  if (files.length === 0) return { ...parcel, fields, tables: [] };
  const { describeSboms } = await import("./sboms.ts");
  return { ...parcel, ...(await describeSboms(files, fields, context)) };
}

/** More files of results than this are packed into one, because a request has room for 20 files in all. */
const MAX_LOOSE_REPORTS = 10;

async function collect(
  values: ClaimValues,
  reports: readonly string[],
  context: ActionContext,
): Promise<readonly FileToSend[]> {
  const { attachments, archiveAttachments } = values;
  const results = values.attachResults ? reports : [];
  if (results.length === 0) return select(attachments, archiveAttachments, values, context);
  try {
    if (archiveAttachments || results.length <= MAX_LOOSE_REPORTS)
      return await select([...attachments, ...results], archiveAttachments, values, context);
    const loose = await select(attachments, false, values, context);
    return [...loose, ...(await select(results, true, values, context))];
  } catch (cause) {
    if (!(cause instanceof InputError) || cause.advice !== "") throw cause;
    const advice = "Files of results are attached too; attach-results: false leaves them out.";
    throw new InputError(cause.problems, { advice, cause });
  }
}

async function select(
  patterns: readonly string[],
  asArchive: boolean,
  { allowOutsideWorkspace, ifNoFilesFound }: ClaimValues,
  { runner, warn }: ActionContext,
): Promise<readonly FileToSend[]> {
  if (patterns.length === 0) return [];
  const workspace = runner.workspace ?? process.cwd();
  const request = { patterns, workspace, allowOutsideWorkspace, ifNoFilesFound };
  const { files, warnings } = asArchive
    ? await (await import("../../evidence/archive.ts")).archiveAttachments(request)
    : await (await import("../../evidence/attachments.ts")).collectAttachments(request);
  for (const warning of warnings) warn(warning);
  return files;
}
