/*
 * Has the workflow of a release's tag try the release, and waits until it succeeded.
 *
 *   node scripts/release/trial.ts v1.2.3 COMMIT NAME@VERSION
 *
 * A trial that succeeded is not started again, and one that runs is waited for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal, runScript, say } from "./outputs.ts";
import { mustRun, runProgram } from "./program.ts";

const WORKFLOW = "try-release.yml";
/** A run shows up some seconds after it was asked for. */
const LOOKS = 24;
const PAUSE_MS = Number(process.env["TRIAL_PAUSE_MS"] ?? 5_000);

const [tag = "", commit = "", packageName = ""] = process.argv.slice(2);

await runScript(async () => {
  const before = trials();
  if (before.some(({ conclusion }) => conclusion === "success")) {
    say(`${tag} was tried already`);
    return;
  }
  const running = before.find(({ status }) => status !== "completed");
  const id = running?.databaseId ?? (await start(before.map(({ databaseId }) => databaseId)));
  const watched = runProgram("gh", ["run", "watch", String(id), "--exit-status", "--interval", "10"]);
  if (watched.status !== 0)
    throw new Refusal(`${tag} was tried, and failed: see the run ${id} of ${WORKFLOW}`);
  say(`${tag} was tried, each action by its tag`);
});

interface Trial {
  readonly databaseId: number;
  readonly status: string;
  readonly conclusion: string;
}

function trials(): Trial[] {
  const fields = "databaseId,status,conclusion";
  return JSON.parse(
    mustRun("gh", ["run", "list", "--workflow", WORKFLOW, "--commit", commit, "--json", fields]),
  );
}

/** Starts a trial, and gives the number of its run. */
async function start(known: readonly number[]): Promise<number> {
  mustRun("gh", ["workflow", "run", WORKFLOW, "--ref", tag, "--field", `package=${packageName}`]);
  for (let look = 0; look < LOOKS; look++) {
    await sleep(PAUSE_MS);
    const found = trials().find(({ databaseId }) => !known.includes(databaseId));
    if (found !== undefined) return found.databaseId;
  }
  throw new Refusal(`GitHub has started no run of ${WORKFLOW} for ${tag}`);
}
