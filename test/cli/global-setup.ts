import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { CLI } from "./command.ts";

const SOURCES = join(import.meta.dirname, "../../src");
/** Each is a file of its own: the program, and those that its threads load. */
const ENTRIES = [
  "cli.ts",
  "service/worker.ts",
  "service/judging/patterns/pattern-thread.ts",
  "service/judging/type-rules/evaluation-thread.ts",
];
/** A small action that tests start. */
const STEP = fileURLToPath(new URL("../github/step.ts", import.meta.url));

/** Each project loads this file again. */
const shared = globalThis as typeof globalThis & { bundledProgram?: Promise<void> };

/** Bundles the program that tests start, once for all projects. */
export default function setup(): Promise<void> {
  shared.bundledProgram ??= bundle();
  return shared.bundledProgram;
}

async function bundle(): Promise<void> {
  await using build = await rolldown({
    cwd: SOURCES,
    input: {
      ...Object.fromEntries(ENTRIES.map((path) => [basename(path, ".ts"), join(SOURCES, path)])),
      step: STEP,
    },
    platform: "node",
    // One is optional, and the other reads a file beside itself.
    external: ["pg-native", /^jq-wasm\//],
    plugins: [{ name: "places of sources", transform: withPlaces }],
  });
  const { output } = await build.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  mkdirSync(dirname(CLI), { recursive: true });
  put("package.json", '{ "type": "module" }');
  for (const part of output) {
    if (part.type === "asset") throw new Error(`${part.fileName} is not a program`);
    put(part.fileName, part.code);
  }
}

/** Writes a file that is not there yet: a program of another run may read it now. */
function put(name: string, content: string): void {
  const file = join(dirname(CLI), name);
  if (!existsSync(file) || readFileSync(file, "utf8") !== content) writeFileSync(file, content);
}

/** Files beside a source are found where it is, but threads load their bundled module. */
function withPlaces(code: string, path: string): string {
  const place = JSON.stringify(pathToFileURL(path).href);
  return code.replaceAll(/(threadModule\([^)]*)?\bimport\.meta\.url\b/g, (found, ofThread) =>
    ofThread === undefined ? place : found,
  );
}
