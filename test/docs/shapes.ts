import { parse } from "yaml";
import { isObject } from "../../src/api/untyped.ts";
import type { NamedText } from "../workflows/workflow-files.ts";

/** Shapes of a block of YAML. The first four are workflows or parts of them. */
export type Shape =
  | "workflow"
  | "jobs"
  | "steps"
  | "settings"
  | "template"
  | "policy"
  | "manifest"
  | "prometheus"
  | "providers"
  | "environments"
  | "reporter-values"
  | "other-ci";

/** Top-level keys of a workflow besides its jobs. */
const SETTINGS = ["name", "on", "env", "permissions", "concurrency", "defaults"];

/** Recognizes the shape of a block by its content. Undefined for content that no page should have. */
export function shapeOf({ text }: NamedText): Shape | undefined {
  const data: unknown = parse(text);
  if (Array.isArray(data)) return shapeOfList(data.filter(isObject));
  if (!isObject(data)) return undefined;
  const keys = Object.keys(data);
  // keyless.test.ts and other-ci.test.ts run them.
  if (isOtherCi(data)) return "other-ci";
  if (keys.includes("jobs")) return "workflow";
  if (keys.includes("trail")) return "template";
  if (keys.includes("_schema")) return "policy";
  // test/service/ops/metrics.test.ts checks it.
  if (keys.join() === "scrape_configs") return "prometheus";
  // people.test.ts checks it.
  if (keys.join() === "providers") return "providers";
  if (keys.join() === "attestations") return "manifest";
  if (keys.join() === "environments") return "environments";
  // charts.test.ts renders them.
  if (keys.includes("reporterConfig")) return "reporter-values";
  if (keys.every((key) => SETTINGS.includes(key))) return "settings";
  return Object.values(data).every((job) => has(job, "uses", "runs-on")) ? "jobs" : undefined;
}

/** Definitions of GitLab, Azure Pipelines, CircleCI, Buildkite and Bitbucket. */
function isOtherCi(data: object): boolean {
  if (["include", "orbs", "pipelines", "resources", "steps"].some((key) => key in data)) return true;
  const { jobs }: { jobs?: unknown } = data;
  const all = Object.values(isObject(jobs) ? jobs : data);
  return all.length > 0 && all.every((job) => has(job, "docker", "script"));
}

function shapeOfList(items: readonly object[]): Shape | undefined {
  if (items.length === 0) return undefined;
  if (items.every((item) => has(item, "uses", "run"))) return "steps";
  if (items.every((item) => has(item, "environment"))) return "environments";
  return items.every((item) => has(item, "name")) ? "manifest" : undefined;
}

function has(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.some((name) => name in value);
}

/** A part of a workflow in the smallest workflow that can contain it; undefined for other blocks. */
export function asWorkflow(block: NamedText): NamedText | undefined {
  const { name, text } = block;
  switch (shapeOf(block)) {
    case "workflow":
      return block;
    case "jobs":
      return { name, text: `on: push\njobs:\n${indented(text, 2)}` };
    case "steps":
      return { name, text: `on: push\n${JOB}    steps:\n${indented(text, 6)}` };
    case "settings":
      return {
        name,
        text: `${text}${/^on:/m.test(text) ? "" : "on: push\n"}${JOB}    steps: [run: "true"]\n`,
      };
    default:
      return undefined;
  }
}

const JOB = "jobs:\n  job:\n    runs-on: ubuntu-latest\n";

function indented(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}
