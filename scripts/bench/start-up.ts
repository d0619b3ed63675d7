import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../bundle.ts";
import { type LocalService, stepVariables } from "./local-service.ts";
import { type Finding, medians, timed } from "./measure.ts";

const ROUNDS = 31;

/** Programs that load ever more of what attest loads: the steps between them say where its time goes. */
const LADDER = {
  "a bundle of nothing": "",
  "… with node:http and node:crypto": 'import "node:http"; import "node:crypto";',
  "… with undici's dispatcher and request":
    'import "node:http"; import "node:crypto"; import "undici/lib/dispatcher/agent.js"; import "undici/lib/api/api-request.js";',
  "… with zod/mini":
    'import "node:http"; import "node:crypto"; import "undici/lib/dispatcher/agent.js"; import "undici/lib/api/api-request.js"; import * as z from "zod/mini"; globalThis.schema = z.object({ a: z.string() });',
};

/** How long `attest` takes from process start to exit, as a multiple of a Node that does nothing. */
export async function startUp(root: string, service: LocalService): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
  const attest = join(root, "dist", "attest", "index.js");
  const inputs = { flow: "web", name: "lint", compliant: "true" };
  const env = stepVariables(service, inputs);
  const node = process.execPath;
  try {
    const programs: Record<string, () => Promise<number>> = { "node -e 0": () => timed([node, "-e", "0"]) };
    for (const [name, source] of Object.entries(LADDER)) {
      const program = await bundleText(root, join(folder, String(Object.keys(programs).length)), source);
      programs[name] = () => timed([node, program]);
    }
    programs["attest, dry run"] = () =>
      timed([node, attest], stepVariables(service, { ...inputs, "dry-run": "true" }));
    programs["attest"] = () => timed([node, attest], env);
    const cached = { ...env, NODE_COMPILE_CACHE: join(folder, "cache") };
    await timed([node, attest], cached);
    programs["attest in a job's later steps (compile cache)"] = () => timed([node, attest], cached);

    const times = await medians(programs, ROUNDS);
    const bare = times["node -e 0"] ?? Number.NaN;
    return Object.entries(times).map(([name, time]) => ({
      what: `start-up: ${name}`,
      value: time / bare,
      unit: "× bare Node",
      ...(name === "attest" && { bound: { most: 3.5 } }),
      note: `${time.toFixed(1)} ms`,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles a program as the actions are bundled. Its source lies beside theirs, where its imports are found. */
async function bundleText(root: string, target: string, source: string): Promise<string> {
  const entry = join(root, "lib", "bench.entry.js");
  await writeFile(entry, `${source}\nprocess.exitCode = 0;\n`);
  await mkdir(target, { recursive: true });
  await bundleProgram(root, entry, target);
  await rm(entry);
  return join(target, "index.js");
}
