import { keyValuePairs, readStepFile, readSummary, type StepFiles } from "./file-commands.ts";
import type { Masks } from "./masks.ts";
import type { StepLog } from "./step-log.ts";

/** State that the files of a step change. */
export interface Effects {
  readonly log: StepLog;
  readonly masks: Masks;
  /** Variables and PATH entries for later steps. */
  readonly env: Record<string, string>;
  readonly path: string[];
  readonly summaries: string[];
}

/** Applies a step's files. Returns whether all of them were valid. */
export async function obeyFiles(
  files: StepFiles,
  outputs: Record<string, string>,
  run: Effects,
): Promise<boolean> {
  const { log, masks } = run;
  let understood = true;
  const obey = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log.annotate("error", `Unable to process file command '${name}' successfully.`);
      log.annotate("error", error instanceof Error ? error.message : String(error));
      understood = false;
    }
  };
  await obey("path", async () => {
    const folders = (await readStepFile(files.path)).split(/\r?\n/).filter((folder) => folder !== "");
    // The last folder is searched first.
    for (const folder of folders) run.path.unshift(folder);
  });
  await obey("env", async () => {
    for (const { name, value } of keyValuePairs(await readStepFile(files.env))) {
      if (name.toUpperCase() === "NODE_OPTIONS") {
        log.annotate("error", "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.");
      } else {
        run.env[name] = value;
      }
    }
  });
  await obey("output", async () => {
    for (const { name, value } of keyValuePairs(await readStepFile(files.output))) outputs[name] = value;
  });
  await obey("state", async () => {
    // A composite action has no later stage that reads the state, but it must be well formed.
    Array.from(keyValuePairs(await readStepFile(files.state)));
  });
  try {
    const summary = await readSummary(files.summary, masks);
    if (summary !== "") run.summaries.push(summary);
  } catch (error) {
    // A summary that is too large is dropped, but does not fail the step.
    log.annotate("error", error instanceof Error ? error.message : String(error));
  }
  return understood;
}
