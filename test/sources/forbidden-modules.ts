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

/** Modules that start processes, evaluate code from text, or give access to other modules. */
const MODULES = /^(?:node:)?(?:child_process|cluster|vm|repl|inspector|module|process|wasi|http2)(?:\/.*)?$/;
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // The only module that starts programs.
  "net/run-program.ts": ["node:child_process"],
  // Limits the time of an expression. The text that it evaluates is a constant.
  "evidence/name-selection.ts": ["node:vm"],
  // Resolves the location of a package, and nothing else.
  "service/http/reference.ts": ["node:module"],
};
/** Modules that the service may use for servers, but not for requests. */
const HTTP = /^(?:node:)?https?$/;
const REQUEST_NAMES: readonly string[] = ["request", "get", "Agent", "ClientRequest", "globalAgent"];

/** Lists each import of a forbidden module, or of a forbidden part of one. */
export function forbiddenModules({ values, at }: TypedFile): string[] {
  return values.flatMap((node) => {
    const name = moduleOf(node);
    if (name === undefined) return [];
    const where = at(node);
    const path = where.slice(0, where.lastIndexOf(":"));
    if (name === "") return [`${where} imports a computed module name`];
    if (MODULES.test(name) && !MAY_IMPORT[path]?.includes(name)) return [`${where} imports ${name}`];
    return HTTP.test(name)
      ? requestNames(node).map((request) => `${where} imports ${request} of ${name}`)
      : [];
  });
}

/** The module that a node imports. Empty when it is known only at run time. */
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

function requestNames(node: Node): string[] {
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
    .filter((name) => REQUEST_NAMES.includes(name));
}
