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

/** Reads a trail; undefined in a dry run. */
export type ReadTrail = (name: TrailName) => Promise<Trail | undefined>;

/** Reads each trail once, however often it is asked for. */
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
/** Nothing is asked for where it says `null`; where it is left out, nobody knows. */
const asked = z.nullable(
  z.looseObject({
    attestations: rules,
    artifacts: z.nullish(z.array(z.looseObject({ name: z.string(), attestations: rules }))),
  }),
);

/** What the template of a trail asks for; undefined when the answer does not tell it in a form known here. */
export function templateOfTrail({ template }: Pick<Trail, "template">): TemplateSlots | undefined {
  return slotsIn(template.trail);
}

const listOfNames = z.array(z.string());
const templateFile = z.looseObject({ trail: z.unknown() });
/** A file of comments only, or one that gives the version of its form and stops there. */
const emptyFile = z.nullable(z.strictObject({ version: z.optional(z.literal(1)) }));

/**
 * What the template of a flow asks for: of what is reported without a trail there is no other. Undefined when the
 * answer does not tell it in a form known here.
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

/** A list of names of attestations of any type; with the word `artifact` among them they are about one of that name. */
function namedOnly(names: readonly string[]): TemplateSlots {
  const attestations = names.filter((name) => name !== "artifact").map((name) => ({ name, type: "*" }));
  return names.includes("artifact")
    ? { attestations: [], artifacts: [{ name: "artifact", attestations }] }
    : { attestations, artifacts: [] };
}

function slotsIn(value: unknown): TemplateSlots | undefined {
  const { success, data } = z.safeParse(asked, value);
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

/** The names by which an artifact is known in a trail. */
export function namesInTrail({ complianceStatus }: Trail, fingerprint: string): string[] {
  const artifacts = Object.entries(complianceStatus.artifactsStatuses ?? {});
  return artifacts.filter(([, status]) => status.artifactFingerprint === fingerprint).map(([name]) => name);
}
