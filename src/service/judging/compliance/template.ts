import * as z from "zod/mini";
import { artifactName, attestationName } from "../../../api/names.ts";

export interface SlotRule {
  name: string;
  /** A kind of attestation, `custom:<name>`, `system:<name>`, or `*` for any. */
  type: string;
}

export interface Template {
  attestations: SlotRule[];
  artifacts: { name: string; attestations: SlotRule[] }[];
}

export const EMPTY_TEMPLATE: Template = { attestations: [], artifacts: [] };

/** Name of the artifact itself in a template that is a list of names. */
export const SOLE_ARTIFACT = "artifact";

/** A kind of attestation, `custom:<name>`, `system:<name>`, or `*` for any. */
export const slotType = z
  .string()
  .check(z.regex(/^(generic|junit|snyk|pull_request|jira|sonar|decision|sbom|\*|custom:.+|system:.+)$/));
/** A type that violates both alternatives, because clients expect both errors. */
const typeWithBothErrors = slotType.check(
  z.refine((type) => slotType.safeParse(type).success, "Input should be 'custom:' and the name of a type"),
);
const slot = z.strictObject({ name: attestationName, type: typeWithBothErrors });
const slots = z._default(z.nullish(z.array(slot)), []);

/** Format of template files, version 1. */
export const templateFile = z.strictObject({
  version: z._default(z.literal(1), 1),
  trail: z.nullish(
    z.strictObject({
      attestations: slots,
      artifacts: z._default(
        z.nullish(z.array(z.strictObject({ name: artifactName, attestations: slots }))),
        [],
      ),
    }),
  ),
});

export function templateOfFile({ trail }: z.infer<typeof templateFile>): Template {
  return {
    attestations: trail?.attestations ?? [],
    artifacts: (trail?.artifacts ?? []).map(({ name, attestations }) => ({
      name,
      attestations: attestations ?? [],
    })),
  };
}

/**
 * Creates a template from attestation names, each of any type. If `artifact` is among them, they are about the artifact,
 * else about the trail.
 */
export function templateOfNames(names: readonly string[]): Template {
  const attestations = [...new Set(names)]
    .filter((name) => name !== SOLE_ARTIFACT)
    .map((name) => ({ name, type: "*" }));
  return names.includes(SOLE_ARTIFACT)
    ? { attestations: [], artifacts: [{ name: SOLE_ARTIFACT, attestations }] }
    : { attestations, artifacts: [] };
}
