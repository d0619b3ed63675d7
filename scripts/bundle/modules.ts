import type { Module, Stats } from "@vercel/ncc";

/** What ncc puts in the place of an import that it did not find; it does not say so otherwise. */
const NOT_FOUND = /[\\/]@@notfound\.js\?(.+)$/;

/** The files that are in the output. What was looked at and turned out to be used by nothing is not. */
export function bundledFiles(stats: Stats): string[] {
  const files = bundledModules(stats).flatMap(({ resource }) => (resource === undefined ? [] : [resource]));
  return [...new Set(files)].sort();
}

/** One line for each import in the output that leads nowhere, also where it is only reached later. */
export function unresolvedImports(stats: Stats): string[] {
  const lines = bundledModules(stats).flatMap((module) => {
    const [, request] = NOT_FOUND.exec(module.resource ?? "") ?? [];
    if (request === undefined) return [];
    const importer = stats.compilation.moduleGraph.getIssuer(module)?.resource ?? "a module";
    return [`${importer} imports '${request}', which is not found`];
  });
  return [...new Set(lines)].sort();
}

/** A module is in a chunk by itself, or inside of one that several were joined to. */
function bundledModules({ compilation: { modules, chunkGraph } }: Stats): Module[] {
  return [...modules].filter((module) => chunkGraph.getNumberOfModuleChunks(module) > 0).flatMap(parts);
}

function parts(module: Module): Module[] {
  return module.modules === undefined ? [module] : module.modules.flatMap(parts);
}
