import {
  type CallExpression,
  type Identifier,
  isBindingElement,
  isCallExpression,
  isIdentifier,
  isImportClause,
  isImportSpecifier,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  type Node,
} from "typescript/unstable/ast";
import { type Checker, SymbolFlags } from "typescript/unstable/sync";
import type { TypedFile } from "./typed-program.ts";

/** Files that declare undici's functions: the package's own types, and ours for its parts. */
const DECLARED = /\/(?:undici|undici-types)\/(?:types\/)?[\w-]+\.d\.ts$|\/undici\.d\.ts$/;
const UNDICI = /^undici(?:\/|$)/;
const REQUEST_FUNCTIONS: readonly string[] = ["fetch", "request", "stream", "pipeline", "connect", "upgrade"];
/** Functions that set one dispatcher for all requests. */
const GLOBAL_DISPATCHER: readonly string[] = ["setGlobalDispatcher", "getGlobalDispatcher", "install"];
const DISPATCHERS = /^(?:Dispatcher|Agent|Pool|Client|ProxyAgent)(?: \| (?:Agent|Pool|Client|ProxyAgent))*$/;

/**
 * Lists each use of an undici function that is not a call with a dispatcher. A file without an undici import gets
 * such a function only from one with it, where exporting it is such a use.
 */
export function callsWithoutDispatcher({ checker, values, at }: TypedFile): string[] {
  if (!values.some((node) => isStringLiteral(node) && UNDICI.test(node.text))) return [];
  return values.filter(isIdentifier).flatMap((name) => {
    if (isDeclared(name)) return [];
    const called = undiciFunction(checker, name);
    if (called === undefined || hasDispatcher(checker, name)) return [];
    return [`${at(name)} uses undici's ${called} without a dispatcher`];
  });
}

/** Whether a name is only declared here. Each later use is checked. */
function isDeclared({ parent }: Identifier): boolean {
  return isImportSpecifier(parent) || isImportClause(parent) || isBindingElement(parent);
}

/** Found by type, so that renaming a function changes nothing. */
function undiciFunction(checker: Checker, name: Identifier): string | undefined {
  const symbol = checker.getTypeAtLocation(name)?.getSymbol();
  const isUndici = symbol?.declarations.some(({ path }) => DECLARED.test(path)) ?? false;
  if (symbol === undefined || !isUndici) return undefined;
  // The parts of undici are imported as modules, each of which exports one function.
  if (symbol.name === "default" && (symbol.flags & SymbolFlags.Function) !== 0) return name.text;
  return [...REQUEST_FUNCTIONS, ...GLOBAL_DISPATCHER].includes(symbol.name) ? symbol.name : undefined;
}

function hasDispatcher(checker: Checker, name: Identifier): boolean {
  const use = isPropertyAccessExpression(name.parent) && name.parent.name === name ? name.parent : name;
  const { parent } = use;
  if (isCallExpression(parent) && parent.expression === use) return hasDispatcherOption(checker, parent);
  if (isPropertyAccessExpression(parent) && parent.name.text === "call") {
    const call = parent.parent;
    return isCallExpression(call) && isDispatcher(checker, call.arguments[0]);
  }
  return isMethodOfDispatcher(checker, parent);
}

/** `fetch(url, { ...options, dispatcher })`, with nothing after it that could override it. */
function hasDispatcherOption(checker: Checker, { arguments: given }: CallExpression): boolean {
  const [, options] = given;
  if (options === undefined || !isObjectLiteralExpression(options)) return false;
  const properties = [...options.properties];
  const last = properties.findLastIndex(isSpreadAssignment);
  return properties.slice(last + 1).some((property) => {
    const isNamed =
      (isShorthandPropertyAssignment(property) || isPropertyAssignment(property)) &&
      isIdentifier(property.name) &&
      property.name.text === "dispatcher";
    if (!isNamed) return false;
    return isDispatcher(checker, isPropertyAssignment(property) ? property.initializer : property.name);
  });
}

/** `Object.assign(new Pool(origin), { connect })`: called as a method, it has its dispatcher. */
function isMethodOfDispatcher(checker: Checker, property: Node): boolean {
  if (!isPropertyAssignment(property)) return false;
  const call = property.parent.parent;
  const target = isCallExpression(call) ? call.arguments[0] : undefined;
  return target !== undefined && isNewExpression(target) && isDispatcher(checker, target);
}

function isDispatcher(checker: Checker, node: Node | undefined): boolean {
  const type = node && checker.getTypeAtLocation(node);
  return type !== undefined && DISPATCHERS.test(checker.typeToString(type));
}
