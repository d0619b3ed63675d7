import * as z from "zod/mini";
import { getFlow } from "../api/flows.ts";
import type { TemplateSlots } from "../api/match-template.ts";
import type { AnswerOf } from "../api/operation.ts";
import { getTrail } from "../api/trails.ts";
import { parseStructured } from "../evidence/structured-data.ts";
import type { ActionContext } from "../github/action.ts";

export type Trail = AnswerOf<typeof getTrail>;

export interface TrailName {
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
const asked = z.nullish(
  z.looseObject({
    attestations: rules,
    artifacts: z.nullish(z.array(z.looseObject({ name: z.string(), attestations: rules }))),
  }),
);

/** What the template of a trail asks for; undefined when the answer does not tell it in a form known here. */
export function templateOfTrail({ template }: Trail): TemplateSlots | undefined {
  return slotsIn(template.trail);
}

/** What the template of a flow asks for: of one reported without a trail there is no other. */
export async function templateOfFlow(
  flowName: string,
  { call }: Pick<ActionContext, "call">,
): Promise<TemplateSlots | undefined> {
  const reply = await call(getFlow, { flowName });
  const template = reply?.body.template;
  if (Array.isArray(template)) return slotsIn(namedOnly(template.map(String)));
  if (typeof template !== "string") return slotsIn(template);
  const file = await parseStructured(template, { input: `template of flow '${flowName}'` });
  const { success, data } = z.safeParse(z.looseObject({ trail: z.unknown() }), file);
  return success ? slotsIn(data.trail) : undefined;
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
