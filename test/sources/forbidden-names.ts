import {
  type Identifier,
  isElementAccessExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
  type Node,
} from "typescript/unstable/ast";
import { SymbolFlags } from "typescript/unstable/sync";
import type { TypedFile } from "./typed-program.ts";

/**
 * Globals that open their own connections, without the dispatcher's proxy, limits and deadline; that evaluate code
 * from text; and that give access to any other global.
 */
const GLOBALS: readonly string[] = [
  "fetch",
  "FormData",
  "XMLHttpRequest",
  "WebSocket",
  "EventSource",
  "eval",
  "Function",
  "globalThis",
  "global",
  "require",
  "module",
];

/** Members that lead to native bindings, or from any function to its constructor, which evaluates code from text. */
const MEMBERS: readonly string[] = ["binding", "_linkedBinding", "dlopen", "mainModule", "constructor"];

/** Lists each use of a forbidden global or member. */
export function forbiddenNames({ checker, values, at }: TypedFile): string[] {
  const globals = new Map(GLOBALS.map((name) => [name, checker.resolveName(name, SymbolFlags.Value)?.id]));

  const isGlobal = (name: Identifier): boolean => {
    if (!globals.has(name.text) || isNameOfMember(name)) return false;
    const symbol = isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
    // A name unknown to the compiler can only be a global of the runtime.
    return symbol === undefined || checker.isUnknownSymbol(symbol) || symbol.id === globals.get(name.text);
  };

  return values.flatMap((node) => {
    if (isIdentifier(node) && isGlobal(node)) return [`${at(node)} uses the global ${node.text}`];
    const member = memberOf(node);
    if (member !== undefined && MEMBERS.includes(member)) return [`${at(node)} uses the member ${member}`];
    return isComputedOfProcess(node) ? [`${at(node)} uses a computed member of process`] : [];
  });
}

function isNameOfMember(name: Identifier): boolean {
  const { parent } = name;
  return (isPropertyAccessExpression(parent) || isPropertyAssignment(parent)) && parent.name === name;
}

function memberOf(node: Node): string | undefined {
  if (isPropertyAccessExpression(node)) return node.name.text;
  if (!isElementAccessExpression(node)) return undefined;
  return isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : undefined;
}

function isComputedOfProcess(node: Node): boolean {
  return (
    isElementAccessExpression(node) && isIdentifier(node.expression) && node.expression.text === "process"
  );
}
