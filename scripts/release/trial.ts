/*
 * Starts the trial workflow on a release's tag, and waits until it succeeds.
 *
 *   node scripts/release/trial.ts v1.2.3 COMMIT NAME@VERSION
 *
 * A successful trial is not repeated, and a running one is awaited.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal, runScript, say } from "./outputs.ts";
import { mustRun, runProgram } from "./program.ts";

const WORKFLOW = "try-release.yml";
/** A run appears some seconds after it was requested. */
const LOOKS = 24;
const PAUSE_MS = Number(process.env["TRIAL_PAUSE_MS"] ?? 5_000);

const [tag = "", commit = "", packageName = ""] = process.argv.slice(2);

await runScript(async () => {
  const before = trials();
  if (before.some(({ conclusion }) => conclusion === "success")) {
    say(`The trial of ${tag} has already succeeded`);
    return;
  }
  const running = before.find(({ status }) => status !== "completed");
  const id = running?.databaseId ?? (await start(before.map(({ databaseId }) => databaseId)));
  const watched = runProgram("gh", ["run", "watch", String(id), "--exit-status", "--interval", "10"]);
  if (watched.status !== 0) throw new Refusal(`The trial of ${tag} failed: see run ${id} of ${WORKFLOW}`);
  say(`The trial of ${tag} succeeded for each action`);
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

/** Starts a trial and returns its run id. */
async function start(known: readonly number[]): Promise<number> {
  mustRun("gh", ["workflow", "run", WORKFLOW, "--ref", tag, "--field", `package=${packageName}`]);
  for (let look = 0; look < LOOKS; look++) {
    await sleep(PAUSE_MS);
    const found = trials().find(({ databaseId }) => !known.includes(databaseId));
    if (found !== undefined) return found.databaseId;
  }
  throw new Refusal(`GitHub did not start a run of ${WORKFLOW} for ${tag}`);
}
