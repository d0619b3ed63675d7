import type { PolicyEvaluation } from "../../api/resources/policy-evaluations.ts";
import { namesIn, type Scope } from "../kernel/scope.ts";
import type { ScopeVerdict } from "./scopes.ts";

/** Whether somebody is told of a flow. */
export function isShown(scope: Scope, flow: string | null | undefined): boolean {
  return namesIn(scope, "flows")?.includes(flow ?? "") ?? true;
}

/** A verdict with the reasons that lie in other flows, and without what these are. */
export function toldIn(scope: Scope, verdict: ScopeVerdict): ScopeVerdict {
  const { policyEvaluations } = verdict;
  if (policyEvaluations === undefined || scope === null) return verdict;
  return { ...verdict, policyEvaluations: policyEvaluations.map((each) => evaluationIn(scope, each)) };
}

function evaluationIn(scope: Scope, evaluation: PolicyEvaluation): PolicyEvaluation {
  return {
    ...evaluation,
    ruleEvaluations: evaluation.ruleEvaluations?.map((rule) => ({
      ...rule,
      resolutions: rule.resolutions?.map(({ type, context }) =>
        isShown(scope, context?.flowName)
          ? { type, context }
          : { type, context: { ...context, flowName: null, trailName: null, artifactStatus: null } },
      ),
    })),
  };
}
