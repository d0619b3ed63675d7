import { basename } from "node:path";
import { InputError, type InputProblem } from "../../../api/client/errors.ts";
import { reportArtifact } from "../../../api/resources/artifact-report.ts";
import type { CiAdvice } from "../../../github/step/ci-context.ts";
import type { Origin } from "../../origin.ts";
import type { Subject } from "../../subject.ts";
import type { ArtifactRequest, Recorder } from "../attestation-request.ts";

const NO_REPOSITORY = "has no known repository: set GITHUB_REPOSITORY to OWNER/REPO";

export const recordArtifact: Recorder<unknown, ArtifactRequest> = async (attestation, context) => {
  const { values, trail, fingerprint, origin } = attestation;
  const { flow, name } = values;
  const { gitCommitInfo, repoInfo, originUrl, ...rest } = origin;
  if (originUrl === undefined || !gitCommitInfo?.url) throw incomplete(origin, context.runner.ci?.advice);
  const reply = await context.call(reportArtifact, {
    flowName: flow,
    body: {
      fingerprint,
      filename: filenameOf(values.subject, name),
      trailName: trail,
      templateReferenceName: name,
      buildUrl: originUrl,
      commitUrl: gitCommitInfo.url,
      gitCommit: gitCommitInfo.sha1,
      gitCommitInfo,
      ...(repoInfo && { repoInfo, repoUrl: repoInfo.url }),
      ...(Object.keys(values.annotations).length > 0 && { annotations: values.annotations }),
      ...rest,
    },
  });
  if (values.githubStorageRecord && !context.dryRun) {
    const { reportStorage } = await import("../storage-record.ts");
    await reportStorage(attestation, context);
  }
  return { reply, attachments: [], compliant: undefined, reason: "", tables: [] };
};

function incomplete({ originUrl, gitCommitInfo }: Origin, advice: CiAdvice | undefined): InputError {
  const problems: InputProblem[] = [];
  const ways: (string | undefined)[] = [];
  if (originUrl === undefined) {
    problems.push({ input: "origin-url", problem: "is required outside of a CI job", missing: true });
    ways.push(advice?.run);
  }
  if (gitCommitInfo === undefined) {
    problems.push({ input: "commit", problem: "is required for kind: artifact", missing: true });
    ways.push(advice?.commit);
  } else if (!gitCommitInfo.url) {
    problems.push({ input: "commit", problem: advice ? "has no known repository" : NO_REPOSITORY });
    ways.push(advice?.repository);
  }
  return new InputError(problems, { advice: ways.filter(Boolean).join(" ") });
}

function filenameOf(subject: Subject, name: string): string {
  if (subject.fingerprint !== undefined) return /^([^\s@]+)@/.exec(subject.fingerprint.trim())?.[1] ?? name;
  const { artifact, artifactType } = subject;
  const isImage = artifactType === "oci" || artifactType === "docker";
  return isImage ? artifact.trim().replace(/^http:\/\//, "") : basename(artifact);
}
