import type { Action } from "../github/step/action.ts";
import { assertArtifact } from "./assert-artifact.ts";
import { attest } from "./attest.ts";
import { beginTrail } from "./begin-trail.ts";
import { comment } from "./comment.ts";
import { evaluate } from "./evaluate.ts";
import { replay } from "./replay.ts";
import { reportEnv } from "./report-env.ts";
import { runningCommit } from "./running-commit.ts";
import { setFlowAction } from "./set-flow-action.ts";

export { root } from "./root.ts";

/** Every composite action. Each bundle contains only its own. */
export const actions: readonly Action[] = [
  attest,
  assertArtifact,
  evaluate,
  reportEnv,
  setFlowAction,
  beginTrail,
  comment,
  runningCommit,
  replay,
];
