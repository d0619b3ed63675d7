import type * as z from "zod/mini";
import type { complianceState } from "../../../api/resources/trail-record.ts";

type State = z.infer<typeof complianceState>;

/** The states of trails to choose from, with any of them first. */
export const STATES = [
  ["", "Any"],
  ["COMPLIANT", "COMPLIANT"],
  ["NON-COMPLIANT", "NON-COMPLIANT"],
  ["INCOMPLETE", "INCOMPLETE"],
] as const satisfies readonly (readonly [State | "", string])[];

/** The state that the address asks for. */
export function stateIn(query: URLSearchParams): State | undefined {
  const asked = query.get("state");
  return STATES.map(([state]) => state).find((state): state is State => state !== "" && state === asked);
}
