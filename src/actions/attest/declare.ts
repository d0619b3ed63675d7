import { isAbsolute, relative, resolve, sep } from "node:path";
import type { ActionContext } from "../../github/step/action.ts";
import { type Declarable, declareArtifact } from "../../github/step/artifacts-file.ts";
import type { Subject } from "../subject.ts";

/** Declares an artifact that this step fingerprinted for later steps. Never fails the step. */
export function declareFingerprinted(
  subject: Subject,
  sha256: string,
  { runner, info }: Pick<ActionContext, "runner" | "info">,
): void {
  const declarable = declarableOf(subject, sha256, runner.workspace);
  const why = declarable && declareArtifact(declarable, runner);
  if (why !== undefined) info(`The artifact was not declared in GITHUB_ARTIFACTS: ${why}.`);
}

/** The runner refuses directories, and files outside of the workspace. An image of a local engine has no registry. */
function declarableOf(
  subject: Subject,
  sha256: string,
  workspace: string | undefined,
): Declarable | undefined {
  if (subject.fingerprint !== undefined) return undefined;
  const { artifact, artifactType } = subject;
  if (artifactType === "oci") {
    const place = artifact
      .trim()
      .replace(/^https?:\/\//, "")
      .replace(/@.*$/, "");
    return { kind: "oci", place, sha256 };
  }
  if (artifactType !== "file" || workspace === undefined) return undefined;
  const path = relative(workspace, resolve(artifact));
  if (isAbsolute(path) || path.split(sep)[0] === "..") return undefined;
  return { kind: "file", place: path.split(sep).join("/"), sha256 };
}
