import { createHash } from "node:crypto";
import { failuresOf } from "../../api/resources/assert-failures.ts";
import type { Assertion } from "../../api/resources/asserts.ts";
import { flowContent, trailAsItIs } from "../events/projections/flow-content.ts";
import { mergedByTrail, raise } from "../events/projections/raise.ts";
import { isFor, rulesOf } from "../events/projections/rules.ts";
import { noteResult } from "../events/projections/trail-results.ts";
import type { ServiceContext } from "../operation/context.ts";
import { requestContextOf, type Sender } from "../operation/handler.ts";

const TRIGGER = "ON_REFUSED_GATE";
/** Jobs may repeat a check until it passes. Within this time, the same reasons are reported once. */
const REPEATED_SECONDS = 60 * 60;
const MAX_REASONS = 5;

export interface RefusedGate {
  /** The result without a scope, so that the report has all reasons. */
  readonly assertion: Assertion;
  readonly artifact: { readonly id: string; readonly fingerprint: string; readonly filename: string };
  readonly flow: string;
  readonly trailId: string | undefined;
  readonly environment: string | null;
  readonly policies: readonly string[];
}

/** Notifies about a gate that refused an artifact. */
export async function reportRefusedGate(
  sender: Sender,
  context: ServiceContext,
  { assertion, artifact, flow, trailId, environment, policies }: RefusedGate,
): Promise<void> {
  const { org } = sender;
  const rules = await rulesOf(context.store.read, org.id, "flow");
  if (!rules.some((rule) => isFor(rule, { trigger: TRIGGER, place: flow }))) return;
  const reasons = failuresOf(assertion).map(({ text }) => text);
  const by = requestContextOf(sender, context);
  const id = digest([org.id, artifact.fingerprint, environment ?? "", flow, ...policies]);
  const noted = { id, orgId: org.id, result: digest(reasons), now: by.now, after: REPEATED_SECONDS };
  const { id: artifactId, fingerprint, filename: name } = artifact;
  const whereTo = environment === null ? "" : ` for environment '${environment}'`;
  await context.store.write(async (db) => {
    if (!(await noteResult(db, noted))) return;
    const trail = trailId === undefined ? undefined : await trailAsItIs(db, trailId);
    await raise(db, by, { type: "flow", rules }, (notifier) => [
      {
        trigger: TRIGGER,
        place: flow,
        merge: mergedByTrail(trailId),
        each: () => [
          {
            ...flowContent(
              { ...notifier, flow: { name: flow }, trail },
              {
                description: `The gate refused artifact '${name}' of flow '${flow}'${whereTo}.`,
                artifact: {
                  name,
                  fingerprint,
                  html_url: notifier.links.artifact(org.name, flow, fingerprint, artifactId),
                },
              },
            ),
            reasons: reasons.slice(0, MAX_REASONS),
            gate: { environment, policies: [...policies] },
          },
        ],
      },
    ]);
  });
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
