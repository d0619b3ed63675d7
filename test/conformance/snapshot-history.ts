import { artifactBody, pipeline } from "./pipeline.ts";
import type { Target } from "./target.ts";
import { someCommit, someFingerprint } from "./unique.ts";

/** An environment with three snapshots: one artifact that was built here, both, the other one. */
export async function threeSnapshots(target: Target) {
  const { environment, delivered, report } = pipeline(target);
  const envName = await environment();
  const { fingerprint: first, ...built } = await delivered();
  const second = someFingerprint();
  for (const running of [[first], [first, second], [second]]) await report(envName, running);
  return { envName, first, second, ...built };
}

/** A new artifact and its report. */
export function newBuild(trailName: string) {
  const [fingerprint, commit] = [someFingerprint(), someCommit()];
  return { fingerprint, commit, body: artifactBody({ trailName, fingerprint, commit }) };
}
