import type { ActionContext } from "../../github/action.ts";
import type { Claim, Recorded } from "./claim.ts";
import type { OtherInputs } from "./inputs.ts";
import { recordGeneric } from "./kinds/generic.ts";

/** Records a claim as its kind wants it. The code of all but the usual kind is loaded only when it is needed. */
export async function record(claim: Claim, context: ActionContext): Promise<Recorded> {
  if (claim.kind === "artifact") return (await import("./kinds/artifact.ts")).recordArtifact(claim, context);
  const values: OtherInputs = claim.values;
  switch (values.kind) {
    case "generic":
      return recordGeneric(claim, context);
    case "junit":
      return (await import("./kinds/junit.ts")).recordJunit(claim, context);
    case "snyk":
      return (await import("./kinds/snyk.ts")).recordSnyk(claim, context);
    case "pull_request":
      return (await import("./kinds/pull-request.ts")).recordPullRequest(claim, context);
    case "jira":
      return (await import("./kinds/jira.ts")).recordJira({ ...claim, values }, context);
    case "sonar":
      return (await import("./kinds/sonar.ts")).recordSonar({ ...claim, values }, context);
    case "custom":
      return (await import("./kinds/custom.ts")).recordCustom({ ...claim, values }, context);
    case "override":
      return (await import("./kinds/override.ts")).recordOverride({ ...claim, values }, context);
  }
}
