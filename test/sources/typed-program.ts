import {
  isExportDeclaration,
  isExpressionWithTypeArguments,
  isImportDeclaration,
  isImportSpecifier,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isTypeNode,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API, type Checker } from "typescript/unstable/sync";

/** A file of a project with the compiler's information about it. */
export interface TypedFile {
  readonly source: SourceFile;
  readonly checker: Checker;
  /** All nodes that have values at run time. Types are excluded. */
  readonly values: readonly Node[];
  /** The location of a node: `transport.ts:12`. */
  readonly at: (node: Node) => string;
}

/** Compiles a project, inspects each of its files below a folder, and returns all findings. */
export function inEachFile(project: string, folder: string, look: (file: TypedFile) => string[]): string[] {
  const api = new API();
  try {
    const [opened] = api.updateSnapshot({ openProject: project }).getProjects();
    if (opened === undefined) throw new Error(`${project} is not a project`);
    const { program, checker } = opened;
    const paths = program.getSourceFileNames().filter((path) => path.startsWith(`${folder}/`));
    const sources = paths.filter((path) => !path.endsWith(".d.ts") && !path.includes("/node_modules/"));
    if (sources.length === 0) throw new Error(`${project} has no sources in ${folder}`);
    return sources.sort().flatMap((path) => {
      const source = program.getSourceFile(path);
      if (source === undefined) throw new Error(`${path} cannot be read`);
      const at = (node: Node) => {
        const line = source.text.slice(0, node.getStart(source)).split("\n").length;
        return `${path.slice(folder.length + 1)}:${line}`;
      };
      return look({ source, checker, values: [...valuesIn(source)], at });
    });
  } finally {
    api.close();
  }
}

function* valuesIn(node: Node): Generator<Node> {
  if (isOnlyType(node)) return;
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  for (const child of children) yield* valuesIn(child);
}

function isOnlyType(node: Node): boolean {
  if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return true;
  if (isImportDeclaration(node)) return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
  if (isImportSpecifier(node) || isExportDeclaration(node)) return node.isTypeOnly;
  // The base of a class is a type node, but has a value.
  return isTypeNode(node) && !isExpressionWithTypeArguments(node);
}
