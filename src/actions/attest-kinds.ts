import { basename } from "node:path";
import { reportArtifact } from "../api/artifact-report.ts";
import { InputError } from "../api/errors.ts";
import { attestGeneric } from "../api/generic-attestation.ts";
import type { FileToSend } from "../api/operation.ts";
import type { ActionContext } from "../github/action.ts";
import type { AttestValues } from "./attest.ts";
import type { Origin } from "./origin.ts";

/** What an attestation of any kind is made of. */
interface Claim {
  readonly values: AttestValues;
  readonly trail: string;
  readonly fingerprint: string | undefined;
  readonly origin: Origin;
}

export interface Recorded {
  /** Undefined in a dry run. */
  readonly requestId: string | undefined;
  /** Names of the files sent. */
  readonly attachments: readonly string[];
}

/** Records a claim of any content, with its files. */
export async function recordGeneric(claim: Claim, context: ActionContext): Promise<Recorded> {
  const { values, trail, fingerprint, origin } = claim;
  const files = await attachmentsOf(values, context);
  const [attestation = "", target] = values.name.split(".").reverse();
  const targets = target === undefined ? values.targetArtifacts : [target];
  const reply = await context.call(attestGeneric, {
    flowName: values.flow,
    trailName: trail,
    body: {
      attestationName: attestation,
      isCompliant: values.compliant === true,
      ...(fingerprint !== undefined && { artifactFingerprint: fingerprint }),
      ...(targets.length > 0 && { targetArtifacts: targets }),
      ...(Object.keys(values.annotations).length > 0 && { annotations: values.annotations }),
      ...origin,
    },
    files: { attachmentFile: files },
  });
  return { requestId: reply?.requestId, attachments: files.map(({ name }) => name) };
}

/** Reports that an artifact was built. */
export async function recordArtifact(claim: Claim, context: ActionContext): Promise<Recorded> {
  const { values, trail, fingerprint, origin } = claim;
  const { gitCommitInfo, repoInfo, originUrl, ...rest } = origin;
  const problems = [];
  if (originUrl === undefined)
    problems.push({ input: "origin-url", problem: "is required outside of a workflow run" });
  if (!gitCommitInfo?.url)
    problems.push({
      input: "commit",
      problem: "is required: an artifact is built from a commit of a known repository",
    });
  if (originUrl === undefined || !gitCommitInfo?.url || fingerprint === undefined)
    throw new InputError(problems);
  const reply = await context.call(reportArtifact, {
    flowName: values.flow,
    body: {
      fingerprint,
      filename: values.artifact === undefined ? values.name : basename(values.artifact),
      trailName: trail,
      templateReferenceName: values.name,
      buildUrl: originUrl,
      commitUrl: gitCommitInfo.url,
      gitCommit: gitCommitInfo.sha1,
      gitCommitInfo,
      ...(repoInfo && { repoInfo, repoUrl: repoInfo.url }),
      ...(Object.keys(values.annotations).length > 0 && { annotations: values.annotations }),
      ...rest,
    },
  });
  return { requestId: reply?.requestId, attachments: [] };
}

async function attachmentsOf(values: AttestValues, context: ActionContext): Promise<readonly FileToSend[]> {
  if (values.attachments.length === 0) return [];
  const request = {
    patterns: values.attachments,
    workspace: context.runner.workspace ?? process.cwd(),
    allowOutsideWorkspace: values.allowOutsideWorkspace,
    ifNoFilesFound: values.ifNoFilesFound,
  };
  const { files, warnings } = values.archiveAttachments
    ? await (await import("../evidence/archive.ts")).archiveAttachments(request)
    : await (await import("../evidence/attachments.ts")).collectAttachments(request);
  for (const warning of warnings) context.warn(warning);
  return files;
}
