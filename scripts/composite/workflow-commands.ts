/** One workflow command on a line of a program's output. */
export interface WorkflowCommand {
  /** In lower case, because the runner ignores case. */
  name: string;
  properties: Readonly<Record<string, string>>;
  data: string;
}

const DATA_ESCAPES = [
  ["%0D", "\r"],
  ["%0A", "\n"],
] as const;
const PROPERTY_ESCAPES = [...DATA_ESCAPES, ["%3A", ":"], ["%2C", ","]] as const;
const LEGACY_ESCAPES = [["%3B", ";"], ...DATA_ESCAPES, ["%5D", "]"]] as const;

/**
 * Parses one line of output like the runner. `::name key=value,key=value::data` must start the
 * line, apart from spaces; the legacy `##[name key=value;key=value]data` may appear anywhere in it.
 * Names outside `known` are not commands: the line is output.
 */
export function parseCommand(line: string, known: ReadonlySet<string>): WorkflowCommand | undefined {
  return parseCurrent(line.trimStart(), known) ?? parseLegacy(line, known);
}

function parseCurrent(line: string, known: ReadonlySet<string>): WorkflowCommand | undefined {
  const end = line.indexOf("::", 2);
  if (!line.startsWith("::") || end < 0) return undefined;
  const { name, rest } = splitHeader(line.slice(2, end));
  if (!known.has(name)) return undefined;
  return {
    name,
    properties: parseProperties(rest.trim(), ",", PROPERTY_ESCAPES),
    data: unescapeText(line.slice(end + 2), DATA_ESCAPES),
  };
}

function parseLegacy(line: string, known: ReadonlySet<string>): WorkflowCommand | undefined {
  const start = line.indexOf("##[");
  const end = line.indexOf("]", start);
  if (start < 0 || end < 0) return undefined;
  const { name, rest } = splitHeader(line.slice(start + 3, end));
  if (!known.has(name)) return undefined;
  return {
    name,
    properties: parseProperties(rest, ";", LEGACY_ESCAPES),
    data: unescapeText(line.slice(end + 1), LEGACY_ESCAPES),
  };
}

function splitHeader(header: string): { name: string; rest: string } {
  const space = header.indexOf(" ");
  return space < 0
    ? { name: header.toLowerCase(), rest: "" }
    : { name: header.slice(0, space).toLowerCase(), rest: header.slice(space + 1) };
}

type Escapes = readonly (readonly [escaped: string, plain: string])[];

function parseProperties(text: string, separator: string, escapes: Escapes): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const pair of text.split(separator)) {
    const equals = pair.indexOf("=");
    const value = pair.slice(equals + 1);
    // A property without a name or a value is ignored.
    if (equals > 0 && value !== "") properties[pair.slice(0, equals)] = unescapeText(value, escapes);
  }
  return properties;
}

/** `%25` comes last, so that an escaped `%250A` is the text `%0A`, not a line break. */
function unescapeText(text: string, escapes: Escapes): string {
  const plain = escapes.reduce(
    (unescaped, [escaped, character]) => unescaped.replaceAll(escaped, character),
    text,
  );
  return plain.replaceAll("%25", "%");
}
