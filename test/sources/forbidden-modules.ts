import {
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isNamedImports,
  isNamespaceImport,
  isPropertyAccessExpression,
  isStringLiteral,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import type { TypedFile } from "./typed-program.ts";

/** Modules that start processes, make code of text, or reach whatever is not reached otherwise. */
const MODULES = /^(?:node:)?(?:child_process|cluster|vm|repl|inspector|module|process|wasi|http2)(?:\/.*)?$/;
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // The one place that starts programs.
  "net/run-program.ts": ["node:child_process"],
  // A package is asked where it lies, and nothing else.
  "service/http/reference.ts": ["node:module"],
};
/** The service answers with these modules; nothing asks with them. */
const ASKING = /^(?:node:)?https?$/;
const ASKING_NAMES: readonly string[] = ["request", "get", "Agent", "ClientRequest", "globalAgent"];

/** Each import of a module, or of a part of one, that the sources do without. */
export function forbiddenModules({ values, at }: TypedFile): string[] {
  return values.flatMap((node) => {
    const where = at(node);
    const path = where.slice(0, where.lastIndexOf(":"));
    const name = moduleOf(node);
    if (name === undefined) return [];
    if (name === "") return [`${where} imports what cannot be told`];
    if (MODULES.test(name) && !MAY_IMPORT[path]?.includes(name)) return [`${where} imports ${name}`];
    return ASKING.test(name)
      ? askingNames(node).map((asking) => `${where} imports ${asking} of ${name}`)
      : [];
  });
}

/** The module that a node brings in: empty when only running tells. */
function moduleOf(node: Node): string | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) {
    const { moduleSpecifier } = node;
    return moduleSpecifier && isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
  }
  if (!isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  const isImport = expression.kind === SyntaxKind.ImportKeyword;
  const isBuiltin = isPropertyAccessExpression(expression) && expression.name.text === "getBuiltinModule";
  if (!isImport && !isBuiltin) return undefined;
  const [name] = given;
  return name !== undefined && isStringLiteral(name) ? name.text : "";
}

function askingNames(node: Node): string[] {
  const bindings = isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
  const isWhole =
    !isImportDeclaration(node) ||
    node.importClause?.name !== undefined ||
    (bindings && isNamespaceImport(bindings));
  if (isWhole) return ["all"];
  if (bindings === undefined || !isNamedImports(bindings)) return [];
  return bindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text)
    .filter((name) => ASKING_NAMES.includes(name));
}
