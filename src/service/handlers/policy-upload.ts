import { readFile } from "node:fs/promises";
import type { PolicyDump } from "../../api/policies.ts";
import type { ReceivedFile } from "../attachments.ts";
import { decodeUtf8 } from "../http/json-body.ts";
import { invalidInput } from "../http-error.ts";
import { PolicyFileError, parsePolicyFile } from "../policies/policy-file.ts";

const PART = "policy_file";

/** A policy file as it was uploaded, and what it asks for. */
export interface UploadedPolicy {
  source: string;
  definition: PolicyDump;
}

/**
 * The policy that was sent as a file; nothing when none was.
 *
 * @throws HttpError 400
 */
export async function readPolicy(file: ReceivedFile | undefined): Promise<UploadedPolicy | undefined> {
  if (!file) return undefined;
  const source = decodeUtf8(await readFile(file.path), PART);
  try {
    return { source, definition: parsePolicyFile(source) };
  } catch (error) {
    if (!(error instanceof PolicyFileError)) throw error;
    const named = Object.entries(error.problems).map(([field, text]) => [
      field === "" ? PART : `${PART}.${field}`,
      text,
    ]);
    throw invalidInput(Object.fromEntries(named));
  }
}
