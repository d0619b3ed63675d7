import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { root } from "./pages.ts";

const CHARTS = `${root}docs/deployment/charts/`;

const { stdout: goPath } = spawnSync("go", ["env", "GOPATH"], { encoding: "utf8" });

/** Programs that `scripts/lint-charts.sh` builds are found too. */
export const BUILT = {
  ...process.env,
  PATH: [process.env["PATH"], join(goPath?.trim() || "/nowhere", "bin")].join(delimiter),
};

const object = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

export interface Rendered {
  readonly status: number | null;
  readonly stderr: string;
  readonly objects: z.infer<typeof object>[];
}

export const hasHelm = spawnSync("helm", ["version"], { env: BUILT, stdio: "ignore" }).status === 0;

/** Renders a chart with values in the namespace `evidence`. */
export function rendered(chart: string, values: object): Rendered {
  const folder = mkdtempSync(join(tmpdir(), "charts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "values.json");
  writeFileSync(file, JSON.stringify(values));
  const args = ["template", "release", CHARTS + chart, "--namespace", "evidence", "--values", file];
  const { status, stdout, stderr } = spawnSync("helm", args, { encoding: "utf8", env: BUILT });
  const documents = parseAllDocuments(stdout).map((each) => each.toJS());
  return {
    status,
    stderr,
    objects: documents.filter(Boolean).map((each) => object.parse(each)),
  };
}
