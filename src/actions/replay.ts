import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ActionContext, defineAction } from "../github/action.ts";
import { list, text, type ValuesOf, whole } from "../github/input.ts";
import type { Replayed } from "../spool/replay.ts";
import { fetchSpools } from "./replay/fetch-spools.ts";
import { dryOutcome, replayOutcome } from "./replay/outcome.ts";
import { outputs, type ReplayResult } from "./replay/outputs.ts";

const inputs = {
  branches: list({
    description:
      "Replay only what runs for these branches spooled. Whoever may push a branch may put evidence into a spool.",
  }),
  "max-age-days": whole({
    min: 1,
    max: 400,
    default: "90",
    description: "Do not look for artifacts that are older.",
  }),
  "github-token": {
    ...text({
      description: "Finds and downloads the artifacts; needs `actions: read`.",
      default: "${{ github.token }}",
    }),
    secret: true,
  },
} as const;

type Values = ValuesOf<typeof inputs>;

export const replay = defineAction({
  name: "replay",
  title: "Replay spooled evidence",
  description: "Record, each once and in order, what earlier runs spooled while the service was unavailable.",
  inputs,
  outputs,
  run,
});

async function run(values: Values, context: ActionContext): Promise<ReplayResult> {
  const { runner, connection, dryRun, warn, info } = context;
  const folder = await mkdtemp(join(runner.tempDir ?? tmpdir(), "delivery-evidence-replay-"));
  try {
    const faults = await fetchSpools({ ...values, folder }, context);
    const { readSpool } = await import("../spool/read.ts");
    const spooled = await readSpool(folder);
    info(`${spooled.length} submissions were spooled by earlier runs.`);
    if (dryRun) return dryOutcome(spooled);
    const spool = await import("../spool/replay.ts");
    const results: Replayed[] = [];
    const report = await spool.replay(folder, connection, {
      tell: (replayed) => {
        results.push(replayed);
        const reason = replayed.result === "left" ? `: ${replayed.reason}` : "";
        info(`${replayed.what}: ${replayed.result}${reason}`);
        if (replayed.result !== "left") for (const warning of replayed.warnings) warn(warning);
      },
    });
    return replayOutcome({ report, results, faults, total: spooled.length });
  } finally {
    // The runner empties its folder as well.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
