import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalService, stepVariables } from "./local-service.ts";
import { medians, timed } from "./measure.ts";
import type { Measurements } from "./rows.ts";
import { startRunner, takenTokens } from "./workflow-tokens.ts";

const ROUNDS = 31;
const MANY = 20;

/** Duration of `attest` from start to exit, as a multiple of an idle Node process. */
export async function startUp(root: string): Promise<Measurements<"start-up">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
  await using service = await startLocalService({ options: await takenTokens(join(folder, "keys.json")) });
  await using runner = await startRunner(service, "web");
  const node = process.execPath;
  const program = [node, join(root, "dist", "attest", "index.js")];
  const manifest = Array.from({ length: MANY }, (_, index) => `- {name: check-${index}, compliant: true}\n`);
  await writeFile(join(folder, "manifest.yml"), manifest.join(""));
  const one = { flow: "web", name: "lint", compliant: "true" };
  const variables = (inputs: Readonly<Record<string, string>>) => ({
    ...stepVariables(service, inputs),
    GITHUB_WORKSPACE: folder,
  });
  const cached = { ...variables(one), NODE_COMPILE_CACHE: join(folder, "cache") };
  try {
    // Creates the compile cache that an earlier step of the job leaves.
    await timed(program, cached);
    const times = await medians(
      {
        spawn: () => timed(["/bin/true"]),
        bare: () => timed([node, "-e", "0"]),
        dryRun: () => timed(program, variables({ ...one, "dry-run": "true" })),
        attest: () => timed(program, variables(one)),
        keyless: () => timed(program, { ...variables({ ...one, "api-key": "" }), ...runner.variables }),
        later: () => timed(program, cached),
        many: () => timed(program, variables({ flow: "web", manifest: "manifest.yml" })),
      },
      ROUNDS,
    );
    // Excludes the measuring program's cost of starting a process.
    const own = (time: number) => time - times.spawn;
    const toBare = (time: number) => ({
      value: own(time) / own(times.bare),
      note: `${own(time).toFixed(1)} ms against ${own(times.bare).toFixed(1)} ms`,
    });
    const proving = times.keyless - times.attest;
    return {
      keyless: {
        value: proving,
        note: `${own(times.keyless).toFixed(1)} ms against ${own(times.attest).toFixed(1)} ms`,
      },
      attest: toBare(times.attest),
      attestDryRun: toBare(times.dryRun),
      attestLater: toBare(times.later),
      attestTwenty: { value: own(times.many) / own(times.attest), note: `${own(times.many).toFixed(1)} ms` },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
