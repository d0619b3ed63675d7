import * as z from "zod/mini";
import { artifactName, attestationName } from "../../../api/names.ts";

/** An attestation that a template asks for. */
export interface SlotRule {
  name: string;
  /** A kind of attestation, `custom:<name>`, or `*` for any. */
  type: string;
}

/** What a trail must hold to be compliant. */
export interface Template {
  /** Attestations about the trail as a whole. */
  attestations: SlotRule[];
  /** Artifacts, each with the attestations about it. */
  artifacts: { name: string; attestations: SlotRule[] }[];
}

/** The template that asks for nothing. */
export const EMPTY_TEMPLATE: Template = { attestations: [], artifacts: [] };

/** The word that stands for the artifact itself in a template that is a list of names. */
export const SOLE_ARTIFACT = "artifact";

/** A kind of attestation, `custom:<name>`, or `*` for any. */
export const slotType = z
  .string()
  .check(z.regex(/^(generic|junit|snyk|pull_request|jira|sonar|decision|\*|custom:.+)$/));
/** What is neither a kind nor custom is wrong in both ways, and clients look for more than one error. */
const toldTwice = slotType.check(
  z.refine((type) => slotType.safeParse(type).success, "Input should be 'custom:' and the name of a type"),
);
const slot = z.strictObject({ name: attestationName, type: toldTwice });
const slots = z._default(z.nullish(z.array(slot)), []);

/** The template file, version 1. */
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

/** The template that a checked template file describes. */
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
 * The template that a list of attestation names stands for, each of any type. With the word `artifact` among
 * them they are about the artifact, without it about the trail.
 */
export function templateOfNames(names: readonly string[]): Template {
  const attestations = [...new Set(names)]
    .filter((name) => name !== SOLE_ARTIFACT)
    .map((name) => ({ name, type: "*" }));
  return names.includes(SOLE_ARTIFACT)
    ? { attestations: [], artifacts: [{ name: SOLE_ARTIFACT, attestations }] }
    : { attestations, artifacts: [] };
}
