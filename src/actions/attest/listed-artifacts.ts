import { InputError, type InputProblem } from "../../api/client/errors.ts";
import type { ActionContext, Checked } from "../../github/step/action.ts";
import { type DeclaredArtifact, readDeclared } from "../../github/step/artifacts-file.ts";
import {
  type AttestationInputs,
  type AttestationValues,
  attestationInputs,
  checkAttestation,
  type StepValues,
} from "./inputs.ts";
import { attestEntries } from "./manifest.ts";
import type { AttestResult } from "./outputs.ts";

type Values = AttestationValues & StepValues;

/** Checks the inputs that all listed artifacts share. The list itself is read later. */
export async function checkListed(values: Values, given: ReadonlySet<string>): Promise<Checked<Values>> {
  const sample = { ...values, name: values.name ?? "listed", fingerprint: "0".repeat(64) };
  const checked = await checkAttestation(sample, new Set([...given, "name", "fingerprint"]));
  return "problems" in checked ? checked : { values };
}

/** Records each artifact that earlier steps of the job declared. @throws {InputError} */
export async function attestListed(values: Values, context: ActionContext): Promise<AttestResult> {
  const { artifactsList } = context.runner;
  if (artifactsList === undefined) throw new InputError(missing(values));
  const entries = entriesOf(readDeclared(artifactsList), values);
  return attestEntries(entries, values, context);
}

function missing({ name }: Values): InputProblem[] {
  const problem = "is required, or set `artifact` instead; this runner has no list of artifacts";
  const noName: InputProblem[] = [{ input: "name", problem: "is required", missing: true }];
  return [{ input: "fingerprint", problem, missing: true }, ...(name === undefined ? noName : [])];
}

function entriesOf(artifacts: readonly DeclaredArtifact[], values: Values): AttestationInputs[] {
  if (values.name !== undefined && artifacts.length > 1) {
    const problem = `names one artifact, and the job declared ${artifacts.length}: leave it out, so that each is named after its file or image`;
    throw new InputError([{ input: "name", problem }]);
  }
  const named = artifacts.map((artifact) => ({
    ...artifact,
    template: values.name ?? templateName(artifact),
  }));
  const problems = named.flatMap(({ name, template }, index): InputProblem[] => {
    if (template === "") return [{ input: "name", problem: `is required: '${name}' has no usable letters` }];
    const twin = named.slice(0, index).find((other) => other.template === template);
    return twin === undefined
      ? []
      : [
          {
            input: "name",
            problem: `would be '${template}' for '${twin.name}' and for '${name}': rename one`,
          },
        ];
  });
  if (problems.length > 0) throw new InputError(problems);
  return named.flatMap(({ name, sha256, template }) => {
    // A name that cannot be part of a fingerprint is recorded as the template's.
    const fingerprint = /[\s@]/.test(name) ? sha256 : `${name}@sha256:${sha256}`;
    return attestationInputs({ ...values, name: template, fingerprint }) ?? [];
  });
}

/** `ghcr.io/acme/web:1.2` is `web`, and `web.tar.gz` is `web-tar-gz`. */
function templateName({ name }: DeclaredArtifact): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  const short = name.includes("/") ? last.replace(/:.*$/, "") : last;
  return short.replaceAll(/[^a-zA-Z0-9_]+/g, "-").replaceAll(/^-+|-+$/g, "");
}
