import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));

interface Source {
  /** Relative to `src`, with slashes. */
  readonly path: string;
  /** The unchanged text. */
  readonly text: string;
  /** Without comments, and with empty strings. */
  readonly code: string;
  /** Its imports: packages by name, files relative to `src`. */
  readonly imports: readonly string[];
}

const sources: readonly Source[] = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => readSource(relative(root, join(entry.parentPath, entry.name)).split(sep).join("/")))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  const named = [
    ...text.matchAll(/^\s*(?:import|export)\b[^;'"`]*?\bfrom\s*["']([^"']+)["']/gm),
    ...text.matchAll(/^\s*import\s*["']([^"']+)["']/gm),
    ...text.matchAll(/\bimport\(\s*["']([^"']+)["']/g),
  ];
  const imports = named.map(([, name = ""]) =>
    name.startsWith(".") ? posix.normalize(`${dirname(path)}/${name}`) : name,
  );
  return { path, text, code: withoutCommentsAndTexts(text), imports };
}

function withoutCommentsAndTexts(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|(?<![:\w/])\/\/.*$|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm,
    (found) => (found.startsWith("/") ? "" : '""'),
  );
}

/** The folder of a file, which is its layer: one of those below, or the first folder. "" for the entry points. */
function layerOf(path: string): string {
  const [, inner = ""] = /^(cli\/(?:operator|reporter))\//.exec(path) ?? [];
  return inner || (path.includes("/") ? (path.split("/")[0] ?? "") : "");
}

/** Layers that each layer may import besides itself. The files outside of the folders combine the layers. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  net: [],
  api: ["net"],
  github: ["api", "net"],
  evidence: ["api", "net"],
  kubernetes: ["api", "evidence", "net"],
  clouds: ["api", "evidence", "net"],
  ci: ["api", "github"],
  "code-hosts": ["api", "evidence", "github", "net"],
  spool: ["api", "github"],
  actions: ["api", "clouds", "code-hosts", "github", "evidence", "kubernetes", "net", "spool"],
  service: ["api", "clouds", "evidence", "net"],
  cli: ["actions", "api", "ci", "evidence", "github", "kubernetes", "net", "spool", "cli/reporter"],
  "cli/operator": ["api", "cli", "evidence", "net", "service"],
  "cli/reporter": ["actions", "api", "github", "kubernetes", "net"],
};
const ENTRY_POINTS = ["cli.ts", "client.ts", "index.ts", "reporter.ts"];

/** The areas of the service, by how their paths begin. Each imports only itself and those before it. */
const AREAS = [
  ...[
    "kernel/",
    "judging/compliance/",
    "delivery/messages/",
    "delivery/outgoing/",
    "ops/text-log",
    "ops/json-log",
  ],
  ...[
    "store/",
    "judging/",
    "evidence/compliance/",
    "evidence/origins/",
    "evidence/search/index/",
    "runtime/running/",
  ],
  ...[
    "operation/",
    "events/",
    "ops/backup/",
    "ops/jobs",
    "ops/metrics",
    "people/accounts/",
    "delivery/",
    "people/",
  ],
  ...["evidence/tag", "evidence/types/", "evidence/repos/", "evidence/controls/", "evidence/flows/"],
  ...["evidence/trails/", "evidence/attestations/", "evidence/artifacts/", "evidence/", "runtime/"],
  ...[
    "evidence/approvals/",
    "evidence/search/",
    "people/share-link",
    "ops/verification/",
    "http/",
    "pages/",
    "ops/",
  ],
];

/** The area of a service's file. Undefined for files outside of the areas. */
function areaOf(path: string): string | undefined {
  const inService = path.slice("service/".length);
  if (!inService.includes("/")) return undefined;
  return AREAS.filter((place) => inService.startsWith(place)).sort((a, b) => b.length - a.length)[0] ?? "";
}

test("there are sources to check", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(({ imports }) => imports)).toContain("api/client/errors.ts");
  expect(sources.find(({ path }) => path === "net/dispatcher.ts")?.imports).toContain(
    "undici/lib/dispatcher/pool.js",
  );
});

test("imports go one way only, and never between neighbors", () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.endsWith(".ts"))
      .filter((name) => layerOf(path) !== "" && layerOf(name) !== layerOf(path))
      .filter((name) => !MAY_IMPORT[layerOf(path)]?.includes(layerOf(name)))
      .map((name) => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("only entry points are outside of the layers, and every layer is listed", () => {
  const folders = new Set(sources.map(({ path }) => layerOf(path)).filter(Boolean));
  expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  for (const { path } of sources) if (layerOf(path) === "") expect(ENTRY_POINTS).toContain(path);
});

test("no folder has more than twelve folders, and none of the service has fewer than three entries", () => {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const inFolder = Map.groupBy(entries, ({ parentPath }) => relative(root, parentPath).split(sep).join("/"));
  const wrong = [...inFolder].filter(
    ([folder, found]) =>
      found.filter((entry) => entry.isDirectory()).length > 12 ||
      (folder.startsWith("service/") && !folder.includes("/assets") && found.length < 3),
  );
  expect(wrong.map(([folder]) => folder)).toEqual([]);
});

test("every folder of service tests mirrors a folder of the sources", () => {
  const tests = readdirSync(join(root, "../test/service"), { recursive: true, withFileTypes: true });
  const wrong = tests
    .filter(({ name }) => name.endsWith(".test.ts"))
    .map(({ parentPath }) => relative(join(root, "../test"), parentPath).split(sep).join("/"))
    // These tests attack the whole service.
    .filter((folder) => folder !== "service/hostile" && !existsSync(join(root, folder)));
  expect([...new Set(wrong)]).toEqual([]);
});

test("the table of the architecture page equals the tested one", () => {
  const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("| Folder of `src` | May import |");
  const names = (text = "") => [...text.matchAll(/`([\w/-]+)`/g)].map(([, name = ""]) => name);
  const rows = table.split("\n\n")[0]?.trim().split("\n").slice(1) ?? [];
  const stated = rows.flatMap((row) => {
    const [, folders, imports] = row.split("|");
    return names(folders).map((folder) => [folder, names(imports).sort()] as const);
  });
  const tested = Object.entries(MAY_IMPORT).map(([folder, allowed]) => [folder, allowed.toSorted()]);
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(tested));
});

test("areas of the service import only those before them", () => {
  const service = sources.filter(({ path }) => layerOf(path) === "service");
  expect(service.map(({ path }) => areaOf(path))).not.toContain("");
  const wrong = service.flatMap(({ path, imports }) => {
    const place = areaOf(path);
    if (place === undefined) return [];
    return imports
      .filter((name) => layerOf(name) === "service" && name.endsWith(".ts"))
      .filter((name) => AREAS.indexOf(areaOf(name) ?? "") > AREAS.indexOf(place) || !areaOf(name))
      .map((name) => `${path} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("no file imports itself through others, not even for types", () => {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) cycles.push([...way.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const name of importsOf.get(path) ?? []) visit(name, [...way, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  expect(cycles).toEqual([]);
});

test("the package's exports do not load the runner or the service", () => {
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const name of sources.find((source) => source.path === path)?.imports ?? []) {
      if (name.endsWith(".ts")) follow(name);
    }
  };
  follow("index.ts");
  expect([...reached].map(layerOf).filter((layer) => !["", "api", "net"].includes(layer))).toEqual([]);
});

describe("the sources do not contain", () => {
  /** The lines of code that a pattern finds, except in allowed files. */
  const found = (pattern: RegExp, allowed: (path: string) => boolean = () => false) =>
    sources
      .filter(({ path }) => !allowed(path))
      .flatMap(({ path, code }) =>
        code
          .split("\n")
          .filter((line) => pattern.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );

  test("console", () => {
    expect(found(/(?<![.\w])console\b/)).toEqual([]);
  });

  test("process.env outside of the runner's side and the command line", () => {
    expect(
      found(
        /process\s*\.\s*env\b|process\[/,
        (path) => path.startsWith("github/") || path === "cli/process-terminal.ts",
      ),
    ).toEqual([]);
  });

  test("printing outside of the runner's side and the command line", () => {
    const mayPrint = (path: string) => path.startsWith("github/") || path === "cli/process-terminal.ts";
    expect(found(/process\.std(out|err)\b/, mayPrint)).toEqual([]);
  });

  test("an any, a non-null assertion or a suppressed check", () => {
    expect(found(/\bas any\b|: any\b|<any>/)).toEqual([]);
    expect(
      sources.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text)).map((s) => s.path),
    ).toEqual([]);
  });

  const importers = (forbidden: (name: string) => boolean) =>
    sources.flatMap(({ path, imports }) =>
      imports.filter(forbidden).map((name) => `${path} imports ${name}`),
    );

  test("an import of all of zod, or of all of undici before it is needed, because both dominate startup time", () => {
    expect(importers((name) => name === "zod")).toEqual([]);
    const eager = sources.filter(
      ({ path, text }) => !path.endsWith(".d.ts") && /^import (?!type\b)[^;]*from "undici"/m.test(text),
    );
    expect(eager.map(({ path }) => path)).toEqual([]);
  });

  test("SQL of one engine outside of the service's store", () => {
    const asksElsewhere = sources.filter(
      ({ path }) => path.startsWith("service/") && !path.startsWith("service/store/"),
    );
    const own = /import (type )?\{[^}]*\b(sql|CompiledQuery)\b[^}]*\} from "kysely"|\bfn(<[^>]*>)?\("/;
    expect(asksElsewhere.filter(({ text }) => own.test(text)).map(({ path }) => path)).toEqual([]);
    // A list of many parameters is another statement for each length, and engines limit the length.
    const manyParameters = /, "(not )?in",(?!\s*(listed(Numbers)?(Json)?\(|\(\w+\) =>|\w+\(db,))/;
    expect(asksElsewhere.filter(({ text }) => manyParameters.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("a change or a removal of audit log entries", () => {
    const written = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(\w+)\(\s*"audit_log"/g)].map(([, method]) => `${path}: ${method}`),
    );
    expect(written).toEqual([
      "service/events/audit-log/list.ts: selectFrom",
      "service/events/audit-log/membership.ts: selectFrom",
      "service/ops/verification/state-differences.ts: innerJoin",
      "service/ops/verification/state-differences.ts: selectFrom",
      "service/people/accounts/revocation.ts: selectFrom",
      "service/store/audit-chain.ts: insertInto",
      // A verified table.
      "service/store/consistency/references.ts: reference",
    ]);
  });

  test("a Node builtin without its prefix", () => {
    expect(
      importers((name) => /^(fs|path|os|http|https|crypto|util|url|stream|events|zlib)(\/|$)/.test(name)),
    ).toEqual([]);
  });

  test("a catch-all file", () => {
    const drawers = /(^|\/)(utils?|helpers?|common|misc|manager)s?(\.ts|\/)/;
    expect(sources.map(({ path }) => path).filter((path) => drawers.test(path))).toEqual([]);
  });

  test("a file too long to read in one sitting", () => {
    expect(sources.filter(({ text }) => text.split("\n").length > 350).map(({ path }) => path)).toEqual([]);
  });
});
