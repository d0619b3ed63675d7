import { isAbsolute } from "node:path";
import { type Plugin, type PluginContext, type RolldownOutput, rolldown } from "rolldown";

/** A file that programs were split into. */
export interface Part {
  /** Where it goes, with forward slashes: `attest/index.js`, `shared/core.js`. */
  readonly path: string;
  readonly code: string;
  /** The source files that are in it. */
  readonly files: readonly string[];
  /** The paths of the parts that it loads, as it starts or later. */
  readonly loads: readonly string[];
}

interface SplitOptions {
  /**
   * Modules by the names of parts: what one loads with itself is one part, which is read sooner than many. What is in
   * an earlier part is not in a later one.
   */
  readonly together?: Readonly<Record<string, string>>;
  /**
   * Names what is put in the place of a module where another file imports it: a file, or a module that is nowhere and
   * fails where it is loaded.
   */
  readonly replace?: (id: string, importer: string) => string | undefined;
  readonly minify?: boolean;
}

/**
 * Splits programs into parts: what several of them need is there once, what nothing uses is nowhere, and what is
 * loaded together is one file. The program `attest` becomes `attest/index.js`; all others are below `shared/`.
 *
 * @param programs the path of each program, by its name
 * @throws Error when an import is not found
 */
export async function split(
  root: string,
  programs: Readonly<Record<string, string>>,
  { together = {}, replace = () => undefined, minify = true }: SplitOptions = {},
): Promise<Part[]> {
  const lost = new Set<string>();
  const partOf = new Map<string, string>();
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [`${name}/index`, path])),
    platform: "node",
    logLevel: "silent",
    plugins: [
      replacing(replace),
      finding(lost),
      looking((context) => {
        for (const [part, module] of Object.entries(together)) {
          for (const id of loadedWith(context, module)) if (!partOf.has(id)) partOf.set(id, part);
        }
        for (const path of Object.values(programs)) partOf.delete(path);
      }),
    ],
  });
  try {
    const { output } = await bundle.generate({
      format: "esm",
      minify,
      entryFileNames: "[name].js",
      chunkFileNames: "shared/[name].js",
      codeSplitting: { groups: [{ name: (id) => partOf.get(id) ?? null, debugName: "together" }] },
    });
    if (lost.size > 0) throw new Error(`This cannot be bundled:\n${[...lost].sort().join("\n")}`);
    return partsOf(output);
  } finally {
    await bundle.close();
  }
}

function replacing(replace: NonNullable<SplitOptions["replace"]>): Plugin {
  return {
    name: "replacing",
    resolveId(id, importer = "") {
      const other = replace(id, importer);
      return other === undefined ? null : { id: other, external: !isAbsolute(other) };
    },
  };
}

/** Collects the imports that lead nowhere, also those that are only reached later, or whose failure is caught. */
function finding(lost: Set<string>): Plugin {
  return {
    name: "finding",
    async resolveId(id, importer, { kind }) {
      const found = await this.resolve(id, importer, { kind, skipSelf: true });
      if (found) return found;
      lost.add(`${importer ?? "a program"} imports '${id}', which is not found`);
      return { id, external: true };
    },
  };
}

/** Looks at the modules when all are known. */
function looking(look: (context: PluginContext) => void): Plugin {
  return {
    name: "looking",
    buildEnd() {
      look(this);
    },
  };
}

/** A module, and those that are loaded with it. */
function loadedWith(context: PluginContext, module: string): Set<string> {
  const loaded = new Set([module]);
  // What is added while a set is gone through is gone through as well.
  for (const id of loaded) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) loaded.add(imported);
  }
  return loaded;
}

function partsOf(output: RolldownOutput["output"]): Part[] {
  const paths = new Set<string>(output.map(({ fileName }) => fileName));
  return output.map((part) => {
    if (part.type === "asset") throw new Error(`${part.fileName} is no program`);
    const used = Object.entries(part.modules).filter(([, { renderedLength }]) => renderedLength > 0);
    return {
      path: part.fileName,
      code: part.code,
      files: used.map(([id]) => id.replace(/\?.*/, "")).filter((id) => isAbsolute(id)),
      // The rest are modules of Node.
      loads: [...part.imports, ...part.dynamicImports].filter((path) => paths.has(path)),
    };
  });
}
