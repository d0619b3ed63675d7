/** Reads an outputs file as the runner does: `name=value`, or `name<<delimiter` up to a line that is the delimiter. */
export function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, name, delimiter] = /^([^=]+?)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined && delimiter !== undefined) {
      const end = lines.indexOf(delimiter, at + 1);
      if (end < 0) throw new Error(`the output ${name} has no end`);
      outputs[name] = lines.slice(at + 1, end).join("\n");
      at = end;
    } else if (line !== "") {
      const [key = "", ...value] = line.split("=");
      outputs[key] = value.join("=");
    }
  }
  return outputs;
}
