import type { FileToSend } from "../api/operation.ts";
import { type FileRequest, type Selection, selectFiles } from "./file-selection.ts";

export type AttachmentRequest = Omit<FileRequest, "input">;

export interface Attachments {
  readonly files: readonly FileToSend[];
  readonly warnings: readonly string[];
}

/** Finds what the patterns of `attachments` name. */
export async function selectAttachments(request: AttachmentRequest): Promise<Selection> {
  return await selectFiles({ ...request, input: "attachments" });
}
