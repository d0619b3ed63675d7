import * as z from "zod/mini";
import type { AnswerOf } from "../api/operation.ts";
import type { getFlow } from "../api/resources/flows.ts";
import type { TemplateSlots } from "../api/resources/match-template.ts";
import { getTrail } from "../api/resources/trails.ts";
import { parseStructured } from "../evidence/structured-data.ts";
import type { ActionContext } from "../github/step/action.ts";

export type Trail = AnswerOf<typeof getTrail>;

interface TrailName {
  readonly flow: string;
  readonly trail: string;
}

/** Undefined in a dry run. */
export type ReadTrail = (name: TrailName) => Promise<Trail | undefined>;

/** Reads each trail once. */
export function trailReader({ call }: Pick<ActionContext, "call">): ReadTrail {
  const known = new Map<string, ReturnType<ReadTrail>>();
  return ({ flow, trail }) => {
    const key = JSON.stringify([flow, trail]);
    const found =
      known.get(key) ?? call(getTrail, { flowName: flow, trailName: trail }).then((reply) => reply?.body);
    known.set(key, found);
    return found;
  };
}

const rules = z.nullish(z.array(z.looseObject({ name: z.string(), type: z.nullish(z.string()) })));
/** `null` requires nothing; a missing field means unknown. */
const slotsSchema = z.nullable(
  z.looseObject({
    attestations: rules,
    artifacts: z.nullish(z.array(z.looseObject({ name: z.string(), attestations: rules }))),
  }),
);

/** The template of a trail; undefined if its form is unknown. */
export function templateOfTrail({ template }: Pick<Trail, "template">): TemplateSlots | undefined {
  return slotsIn(template.trail);
}

const listOfNames = z.array(z.string());
const templateFile = z.looseObject({ trail: z.unknown() });
/** A file of comments only, or with nothing but the version. */
const emptyFile = z.nullable(z.strictObject({ version: z.optional(z.literal(1)) }));

/**
 * The flow's template, for artifacts without a trail; undefined if its form is unknown.
 *
 * @throws {InputError} when it is not YAML
 */
export async function templateOfFlow({
  name,
  template,
}: Pick<AnswerOf<typeof getFlow>, "name" | "template">): Promise<TemplateSlots | undefined> {
  const names = listOfNames.safeParse(template);
  if (names.success) return namedOnly(names.data);
  if (typeof template !== "string") return undefined;
  const file = await parseStructured(template, { input: `template of flow '${name}'` });
  if (emptyFile.safeParse(file).success) return slotsIn(null);
  const { data } = templateFile.safeParse(file);
  return slotsIn(data?.trail);
}

/** Names of attestations of any type. If one name is `artifact`, the others are about an artifact of that name. */
function namedOnly(names: readonly string[]): TemplateSlots {
  const attestations = names.filter((name) => name !== "artifact").map((name) => ({ name, type: "*" }));
  return names.includes("artifact")
    ? { attestations: [], artifacts: [{ name: "artifact", attestations }] }
    : { attestations, artifacts: [] };
}

function slotsIn(value: unknown): TemplateSlots | undefined {
  const { success, data } = z.safeParse(slotsSchema, value);
  if (!success) return undefined;
  return {
    attestations: rulesOf(data?.attestations),
    artifacts: (data?.artifacts ?? []).map(({ name, attestations }) => ({
      name,
      attestations: rulesOf(attestations),
    })),
  };
}

function rulesOf(given: z.infer<typeof rules>): TemplateSlots["attestations"] {
  return (given ?? []).map(({ name, type }) => ({ name, type: type ?? "*" }));
}

/** The names of an artifact in a trail. */
export function namesInTrail({ complianceStatus }: Trail, fingerprint: string): string[] {
  const artifacts = Object.entries(complianceStatus.artifactsStatuses ?? {});
  return artifacts.filter(([, status]) => status.artifactFingerprint === fingerprint).map(([name]) => name);
}
