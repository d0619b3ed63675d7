import { InputError } from "../../api/client/errors.ts";
import type { FileToSend } from "../../api/files.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { AttestationValues } from "./inputs.ts";

/** If there are more result files than this, all are packed into one archive, because a request has room for 20 files. */
const MAX_LOOSE_REPORTS = 10;

/** The files to send: attachments and `reports`, the paths of the files that results were read from. */
export async function collectFiles(
  values: AttestationValues,
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
  { allowOutsideWorkspace, ifNoFilesFound }: AttestationValues,
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
