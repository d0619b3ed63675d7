import type { InputProblem } from "../api/client/errors.ts";
import type { ActionContext } from "../github/step/action.ts";
import { choice, lines, text, type ValuesOf } from "../github/step/input.ts";

export const subjectInputs = {
  fingerprint: text({
    description:
      "SHA-256 of the artifact: 64 hex digits, `sha256:…` or `name@sha256:…`. Excludes `artifact`.",
  }),
  artifact: text({
    description: "Artifact to fingerprint: a path, or the name of an image. Excludes `fingerprint`.",
  }),
  "artifact-type": choice({
    choices: ["file", "dir", "oci", "docker"],
    default: "file",
    description:
      "Type of `artifact`: a file, a directory, an image in a registry (`oci`) or in the local Docker engine (`docker`).",
  }),
  exclude: lines({
    description: "Globs to leave out of the fingerprint of a `dir`, one per line, relative to it.",
  }),
};

export type SubjectValues = ValuesOf<typeof subjectInputs>;

/** An artifact, named in one of two ways. */
export type Subject =
  | { readonly fingerprint: string }
  | ({ readonly fingerprint?: undefined; readonly artifact: string } & Pick<
      SubjectValues,
      "artifactType" | "exclude"
    >);

export function subjectOf({
  fingerprint,
  artifact,
  artifactType,
  exclude,
}: SubjectValues): Subject | undefined {
  if (fingerprint !== undefined) return { fingerprint };
  return artifact === undefined ? undefined : { artifact, artifactType, exclude };
}

/** Problems of these inputs together. */
export function subjectProblems(subject: SubjectValues, given: ReadonlySet<string>, required: boolean) {
  const problems: InputProblem[] = [];
  if (given.has("fingerprint") && given.has("artifact")) {
    problems.push({ input: "artifact", problem: "cannot be used with `fingerprint`: set one of them" });
  }
  if (required && !given.has("fingerprint") && !given.has("artifact")) {
    problems.push({ input: "fingerprint", problem: "is required, or set `artifact` instead", missing: true });
  }
  if (given.has("artifact-type") && !given.has("artifact")) {
    problems.push({ input: "artifact-type", problem: "is used only with `artifact`" });
  }
  if (given.has("exclude") && subject.artifactType !== "dir") {
    problems.push({ input: "exclude", problem: "is used only with artifact-type: dir" });
  }
  return problems;
}

/** Reads the artifact's fingerprint. The code is loaded only when needed. */
export async function fingerprintOf(
  subject: Subject,
  { runner, signal, allowHttp }: Pick<ActionContext, "runner" | "signal" | "allowHttp">,
): Promise<string> {
  if (subject.fingerprint !== undefined) {
    const { normalizeFingerprint } = await import("../evidence/fingerprint.ts");
    return normalizeFingerprint(subject.fingerprint, "fingerprint");
  }
  const env = runner.childEnv;
  switch (subject.artifactType) {
    case "file": {
      const { fingerprintFile } = await import("../evidence/fingerprint.ts");
      return fingerprintFile(subject.artifact);
    }
    case "dir": {
      const { fingerprintDirectory } = await import("../evidence/directory-fingerprint.ts");
      return fingerprintDirectory(subject.artifact, { exclude: subject.exclude });
    }
    case "oci": {
      const { fingerprintImage } = await import("../evidence/oci/registry.ts");
      return fingerprintImage(subject.artifact, { env, signal, allowHttp });
    }
    case "docker": {
      const { fingerprintLocalImage } = await import("../evidence/docker/local-image.ts");
      return fingerprintLocalImage(subject.artifact, { env, signal });
    }
  }
}
