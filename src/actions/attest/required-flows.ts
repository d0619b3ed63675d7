import { ApiError, InputError, isUnavailable } from "../../api/client/errors.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { AttestationInputs } from "./inputs.ts";

/**
 * With `create-flow: false`, checks that the flows exist. If the service is unavailable and the step accepts that,
 * nothing is checked.
 *
 * @throws {InputError} when a flow does not exist
 */
export async function requireFlows(
  entries: readonly AttestationInputs[],
  { createFlow }: { readonly createFlow: boolean },
  { call }: ActionContext,
): Promise<void> {
  if (createFlow) return;
  const { getFlow } = await import("../../api/resources/flows.ts");
  const byFlow = new Map(entries.map((entry) => [entry.flow, entry]));
  for (const [flowName, { onUnavailable }] of byFlow) {
    try {
      await call(getFlow, { flowName });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw missing(flowName, error);
      if (onUnavailable === "fail" || !isUnavailable(error)) throw error;
    }
  }
}

function missing(flowName: string, cause: ApiError): InputError {
  return new InputError(
    [
      {
        input: "flow",
        code: "flow.not_found",
        problem: `'${flowName}' was not found, and create-flow is false: ${cause.serviceMessage}`,
      },
    ],
    { advice: "Correct the name, create the flow, or set create-flow: true. Nothing was recorded.", cause },
  );
}
