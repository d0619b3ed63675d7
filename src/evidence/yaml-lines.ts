/** A way into structured data: `["trail", "attestations", 0, "type"]`. */
export type DataPath = readonly (string | number)[];

/**
 * Where values stand in a text in YAML, or in JSON, which is YAML as well. Parsing it once more costs nothing where it
 * matters: it is done only to tell a fault.
 *
 * @returns the line of a value, or of the nearest that holds it; undefined for a text that cannot be read
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

/** The path that a message writes as `trail.attestations[0].type`, or as `trail.attestations.0.type`. */
export function dataPath(text: string): DataPath {
  const steps = text.split(/[.[\]]/).filter((step) => step !== "");
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
