/** `["trail", "attestations", 0, "type"]` */
export type DataPath = readonly (string | number)[];

/**
 * Line numbers of values in YAML or JSON. Parses the text again, only to report a fault.
 *
 * @returns the line of a value or its nearest parent; undefined for unreadable text
 */
export async function linesOf(text: string): Promise<(path: DataPath) => number | undefined> {
  const { isNode, LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: "silent" });
  if (document.errors.length > 0) return () => undefined;
  return (path) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
    }
    return undefined;
  };
}

/** Parses `trail.attestations[0].type` or `trail.attestations.0.type`. */
export function dataPath(text: string): DataPath {
  const steps = text.split(/[.[\]]/).filter((step) => step !== "");
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
