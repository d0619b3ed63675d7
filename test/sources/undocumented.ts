import { API, type Symbol as Named, SymbolFlags, type Type } from "typescript/unstable/sync";

/**
 * Names without documentation among the exports of a module and the fields and methods of their types, such as
 * `Trail.name`; also how many names it has in all.
 *
 * @param folder with the sources of the module. Other declarations are not examined
 */
export function undocumented(
  project: string,
  module: string,
  folder: string,
): { readonly count: number; readonly missing: readonly string[] } {
  const api = new API();
  try {
    const [opened] = api.updateSnapshot({ openProject: project }).getProjects();
    const source = opened?.program.getSourceFile(module);
    const symbol = source && opened?.checker.getSymbolAtLocation(source);
    if (!opened || !symbol) throw new Error(`${module} is not a module of ${project}`);
    const { checker } = opened;
    const names = new Map<string, Named>();
    const seen = new Set<number>();
    const walk = (type: Type | undefined, name: string) => {
      if (type === undefined || seen.has(type.id)) return;
      seen.add(type.id);
      const parts =
        type.isUnionType() || type.isIntersectionType()
          ? type.getTypes()
          : type.isObjectType() && checker.isArrayType(type) && type.isTypeReference()
            ? checker.getTypeArguments(type)
            : undefined;
      for (const part of parts ?? []) walk(part, name);
      if (parts) return;
      for (const property of checker.getPropertiesOfType(type)) {
        const isPrivate = property.name.includes("#");
        if (isPrivate || !property.declarations.some(({ path }) => path.startsWith(folder))) continue;
        names.set(`${name}.${property.name}`, property);
        walk(checker.getTypeOfSymbol(property), `${name}.${property.name}`);
      }
    };
    for (const exported of checker.getExportsOfModule(symbol)) {
      const target = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      names.set(exported.name, target);
      walk(checker.getDeclaredTypeOfSymbol(target), exported.name);
    }
    const missing = [...names].filter(([, each]) => each.getDocumentationComment(checker).trim() === "");
    return { count: names.size, missing: missing.map(([name]) => name) };
  } finally {
    api.close();
  }
}
