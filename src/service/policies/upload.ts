import { readFile } from "node:fs/promises";
import type { PolicyDump } from "../../api/resources/policies.ts";
import type { PatternMatcher } from "../judging/patterns/pattern-matcher.ts";
import {
  type PolicyFile,
  PolicyFileError,
  parsePolicyFile,
  placed,
} from "../judging/policies/policy-file.ts";
import { type Invalid, invalidInput } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";

const PART = "policy_file";

/** A policy file as it was uploaded, and what it asks for. */
export interface UploadedPolicy {
  source: string;
  definition: PolicyDump;
}

/**
 * The policy that was sent as a file; nothing when none was.
 *
 * @throws Invalid
 */
export async function readPolicy(
  file: ReceivedFile | undefined,
  { patterns, orgId }: { patterns: PatternMatcher; orgId: string },
): Promise<UploadedPolicy | undefined> {
  if (!file) return undefined;
  const source = decodeUtf8(await readFile(file.path), PART);
  const read = parsed(source);
  const unusable = await patterns.check(
    orgId,
    read.patterns.map(({ pattern }) => pattern),
  );
  const problems = read.patterns.flatMap(({ pattern, field, place }) => {
    const error = unusable.get(pattern);
    return error ? [[field, placed(error.message, place)] as const] : [];
  });
  if (problems.length > 0) throw refused(Object.fromEntries(problems));
  return { source, definition: read.definition };
}

function parsed(source: string): PolicyFile {
  try {
    return parsePolicyFile(source);
  } catch (error) {
    throw error instanceof PolicyFileError ? refused(error.problems) : error;
  }
}

function refused(problems: Readonly<Record<string, string>>): Invalid {
  const named = Object.entries(problems).map(([field, text]) => [
    field === "" ? PART : `${PART}.${field}`,
    text,
  ]);
  return invalidInput(Object.fromEntries(named));
}
