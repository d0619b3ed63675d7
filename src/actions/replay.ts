import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { gitHubAddress } from "../github/api/github-address.ts";
import { type ActionContext, defineAction, githubToken } from "../github/step/action.ts";
import { list, type ValuesOf, whole } from "../github/step/input.ts";
import type { Replayed } from "../spool/replay.ts";
import { dryOutcome, outputs, type ReplayResult, replayOutcome } from "./replay/outcome.ts";

const inputs = {
  branches: list({
    description:
      "Branches to replay: only spools of runs for commits of these branches are uploaded. Anyone who can push to a branch can put evidence into a spool.",
  }),
  "max-age-days": whole({
    min: 1,
    max: 400,
    default: "90",
    description: "Maximum age of the artifacts, in days.",
  }),
  "github-token": githubToken(
    "Token that finds and downloads the artifacts; needs `actions: read`, and `contents: read` with `branches`.",
  ),
};

type Values = ValuesOf<typeof inputs>;

export const replay = defineAction({
  name: "replay",
  title: "Replay spooled evidence",
  description:
    "Uploads evidence that earlier runs spooled while the service was unavailable: in order, each record once.",
  inputs,
  outputs,
  run,
});

async function run(values: Values, context: ActionContext): Promise<ReplayResult> {
  const { runner, connection, dryRun, signal, warn, info } = context;
  const { branches, maxAgeDays, githubToken } = values;
  const address = gitHubAddress(runner, githubToken, signal);
  if (address === undefined) {
    const problem = "is required, in a workflow run: the step downloads the artifacts of its repository";
    throw new InputError([{ input: "github-token", problem, missing: true }]);
  }
  const folder = await mkdtemp(join(runner.tempDir ?? tmpdir(), "delivery-evidence-replay-"));
  try {
    const { fetchSpools } = await import("../spool/fetch-spools.ts");
    const request = { address, folder, branches, maxAgeDays, input: "github-token", note: info };
    const faults = await fetchSpools(request);
    const { readSpool } = await import("../spool/read.ts");
    const spooled = await readSpool(folder);
    info(`Found ${spooled.length} submissions spooled by earlier runs.`);
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
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
