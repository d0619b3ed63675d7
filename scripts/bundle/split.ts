import { isAbsolute } from "node:path";
import { type Plugin, type PluginContext, type RolldownOutput, rolldown } from "rolldown";

/** A file of the split programs. */
export interface Part {
  /** Its path, with forward slashes: `attest/index.js`, `shared/core.js`. */
  readonly path: string;
  readonly code: string;
  /** Its source files. */
  readonly files: readonly string[];
  /** Paths of the parts that it loads, at the start or later. */
  readonly loads: readonly string[];
}

export type Replace = (id: string, importer: string) => string | undefined;

interface SplitOptions {
  /**
   * Root modules by part name. A root and its static imports form one part, which is faster to read
   * than many. A module in an earlier part is not in a later one.
   */
  readonly together?: Readonly<Record<string, string>>;
  /** Replaces an imported module by a file, or by a module that does not exist and fails when it is loaded. */
  readonly replace?: Replace;
  readonly minify?: boolean;
}

/** The comments that licenses require. */
const COMMENTS = { legal: true, annotation: false, jsdoc: false };

/**
 * Splits programs into parts: shared code appears once, unused code is dropped, and code that is loaded together is one
 * file. The program `attest/index` becomes `attest/index.js`; shared code is below `shared/`.
 *
 * @param programs paths of the programs, by name
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
    input: programs,
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
      comments: COMMENTS,
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

/**
 * Bundles one program with everything that it loads, at the start or later, into one file.
 *
 * @throws Error when an import is not found
 */
export async function oneFile(root: string, program: string, replace: Replace): Promise<Part> {
  const lost = new Set<string>();
  const bundle = await rolldown({
    cwd: root,
    input: { index: program },
    platform: "node",
    logLevel: "silent",
    plugins: [replacing(replace), finding(lost)],
  });
  try {
    const { output } = await bundle.generate({
      format: "esm",
      minify: true,
      comments: COMMENTS,
      entryFileNames: "[name].js",
      codeSplitting: false,
    });
    if (lost.size > 0) throw new Error(`This cannot be bundled:\n${[...lost].sort().join("\n")}`);
    const [part, ...others] = partsOf(output);
    if (part === undefined || others.length > 0) throw new Error(`${program} is not one file`);
    return part;
  } finally {
    await bundle.close();
  }
}

function replacing(replace: Replace): Plugin {
  return {
    name: "replacing",
    resolveId(id, importer = "") {
      const other = replace(id, importer);
      return other === undefined ? null : { id: other, external: !isAbsolute(other) };
    },
  };
}

/** Collects unresolved imports, including those that are reached late or whose failure is caught. */
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

/** Calls a function once all modules are known. */
function looking(look: (context: PluginContext) => void): Plugin {
  return {
    name: "looking",
    buildEnd() {
      look(this);
    },
  };
}

/** A module with its static imports, direct and indirect. */
function loadedWith(context: PluginContext, module: string): Set<string> {
  const loaded = new Set([module]);
  // Modules added during the iteration are visited too.
  for (const id of loaded) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) loaded.add(imported);
  }
  return loaded;
}

function partsOf(output: RolldownOutput["output"]): Part[] {
  const paths = new Set<string>(output.map(({ fileName }) => fileName));
  return output.map((part) => {
    if (part.type === "asset") throw new Error(`${part.fileName} is not a program`);
    const used = Object.entries(part.modules).filter(([, { renderedLength }]) => renderedLength > 0);
    return {
      path: part.fileName,
      code: part.code,
      files: used.map(([id]) => id.replace(/\?.*/, "")).filter((id) => isAbsolute(id)),
      // The other imports are modules of Node.
      loads: [...part.imports, ...part.dynamicImports].filter((path) => paths.has(path)),
    };
  });
}
