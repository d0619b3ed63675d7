import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { startService } from "../../src/service/service.ts";
import { deploymentFile, has } from "./deployment-files.ts";
import { root } from "./pages.ts";

const RULES = "prometheus-rules.yaml";
const PROMTOOL = "promtool";

const { groups } = z
  .strictObject({
    groups: z.array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^Evidence[A-Z]\w+$/),
            expr: z.string(),
            for: z
              .string()
              .regex(/^\d+[smh]$/)
              .optional(),
            labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
            annotations: z.strictObject({ summary: z.string(), description: z.string().regex(/\.$/) }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(deploymentFile(RULES)));
const rules = groups.flatMap((group) => group.rules);

const dashboard = z
  .object({
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
        targets: z
          .array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
          .default([]),
      }),
    ),
    templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  })
  .parse(JSON.parse(deploymentFile("grafana-dashboard.json")));
const queries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

let folder = "";
let exposed = "";
/** Types of the metrics that a service serves, by name. */
let served: ReadonlyMap<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "evidence-monitoring-"));
  const options = { host: "127.0.0.1", port: 0, version: "1", log: () => {} };
  const service = await startService({ dataFolder: join(folder, "data"), ...options });
  exposed = await (await fetch(`${service.address}/metrics`)).text();
  await service.close();
  served = new Map(
    [...exposed.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The names in a query that no service serves. */
function unknownIn(expr: string): string[] {
  const named = [...expr.matchAll(/\b(?:evidence|nodejs|process)_\w+/g)].map(([name]) => name);
  const isServed = (name: string) => {
    const [, base = "", part] = /^(\w+?)(_bucket|_sum|_count)?$/.exec(name) ?? [];
    return served.get(base) === "histogram" ? part !== undefined : served.has(name);
  };
  return named.filter((name) => !isServed(name));
}

test("every metric of the rules and the dashboard is served", () => {
  expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  expect(queries.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  expect(unknownIn("rate(evidence_no_such_total[5m]) + evidence_commit_duration_seconds")).toHaveLength(2);
});

test("the dashboard shows every metric of the service, except those that others include", () => {
  const shown = [...rules, ...queries].map(({ expr }) => expr).join("\n");
  const missing = [...served.keys()].filter((name) => name.startsWith("evidence_") && !shown.includes(name));
  expect(missing.sort()).toEqual([
    "evidence_http_requests_in_flight",
    "evidence_job_runs_total",
    "evidence_job_seconds_total",
    "evidence_limit_hits_total",
  ]);
});

test("alerts have names of their own, and panels do not overlap", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test("queries use only the variables of the dashboard, and legends only labels of their query", () => {
  const variables = [...dashboard.templating.list.map(({ name }) => name), "__rate_interval"];
  const used = queries.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name));
  expect(used.filter((name) => !variables.includes(name ?? ""))).toEqual([]);
  const wrong = queries.filter(({ expr, legendFormat }) => {
    const [, label] = /\{\{(\w+)\}\}/.exec(legendFormat) ?? [];
    return label !== undefined && label !== "instance" && !new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr);
  });
  expect(wrong).toEqual([]);
});

// Without promtool, the tests above check the names.
if (has(PROMTOOL, "--version")) {
  describe("promtool", () => {
    const promtool = (...args: string[]) => spawnSync(PROMTOOL, args, { encoding: "utf8" });
    it("accepts the rules, which raise the alerts of the cases", async () => {
      const path = `${root}docs/deployment/${RULES}`;
      const checked = promtool("check", "rules", "--lint=all", "--lint-fatal", path);
      expect([checked.status, checked.stdout], checked.stderr).toEqual([
        0,
        expect.stringContaining(`${rules.length} rules found`),
      ]);
      const cases = join(folder, "cases.yaml");
      const text = await readFile(new URL("prometheus-rules-cases.yaml", import.meta.url), "utf8");
      writeFileSync(cases, text.replace("[RULES]", `[${path}]`));
      const tested = promtool("test", "rules", cases);
      expect([tested.status, tested.stdout], tested.stderr).toEqual([0, expect.stringContaining("SUCCESS")]);
    });

    it("finds no fault in the names and help texts of the service's metrics", () => {
      const { stdout, stderr } = spawnSync(PROMTOOL, ["check", "metrics"], {
        input: exposed,
        encoding: "utf8",
      });
      const faults = `${stdout}${stderr}`.split("\n").filter(Boolean);
      // The names of the process's metrics are those of prom-client.
      expect(faults.filter((line) => !line.startsWith("nodejs_"))).toEqual([]);
    });

    it("accepts the queries of the dashboard", () => {
      const recorded = queries.map(({ expr }, at) => ({
        record: `query:${at}`,
        expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", "delivery-evidence"),
      }));
      const path = join(folder, "queries.yaml");
      // JSON is YAML.
      writeFileSync(path, JSON.stringify({ groups: [{ name: "queries", rules: recorded }] }));
      const { status, stderr } = promtool("check", "rules", path);
      expect(status, stderr).toBe(0);
    });
  });
}
