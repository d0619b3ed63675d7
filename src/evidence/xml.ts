import sax from "sax";
import { ReportFault } from "./report-fault.ts";
import { decoderFor, type TextParts } from "./text-encoding.ts";

export interface XmlHandler {
  /** Names come without prefix. */
  open(name: string, attributes: XmlAttributes): void;
  /** Part of the innermost open element's text. */
  text(part: string): void;
  close(): void;
}

export interface XmlAttributes {
  get(name: string): string | undefined;
  values(): readonly string[];
}

/** More than in any report. */
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 500;
/** Maximum length of a name, attribute value or comment. Texts may be longer, as they are read in parts. */
const MAX_TOKEN_CHARACTERS = 4 * 1024 * 1024;

const OPTIONS = { position: true, strictEntities: true };

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML may not contain control characters
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

// This limit of sax applies to all its parsers: one parser cannot have its own.
Object.assign(sax, { MAX_BUFFER_LENGTH: MAX_TOKEN_CHARACTERS });

/**
 * Streams XML. Refuses a DOCTYPE, which could expand the text, and every entity except the five of XML.
 *
 * @throws ReportFault, with line and column, for malformed XML or an exceeded limit
 */
export async function readXml(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  const reader = new XmlReader(handler);
  let decoder: TextParts | undefined;
  for await (const part of parts) {
    decoder ??= decoderFor(part);
    reader.write(decoder.decode(part));
  }
  if (decoder !== undefined) reader.write(decoder.end());
  reader.end();
}

class XmlReader {
  readonly #parser = sax.parser(true, OPTIONS);
  #depth = 0;
  #attributes = 0;
  #sawRoot = false;

  constructor(handler: XmlHandler) {
    const parser = this.#parser;
    parser.onopentagstart = () => {
      this.#attributes = 0;
    };
    parser.onattribute = ({ name }) => this.#attribute(name);
    parser.onopentag = ({ name, attributes }) => {
      this.#open();
      const get = (key: string) => (Object.hasOwn(attributes, key) ? String(attributes[key]) : undefined);
      handler.open(localName(name), { get, values: () => Object.values(attributes).map(String) });
    };
    parser.onclosetag = () => {
      this.#depth -= 1;
      handler.close();
    };
    parser.ontext = (part) => handler.text(part);
    parser.oncdata = (part) => handler.text(part);
    parser.ondoctype = () => this.#refuseDoctype();
    parser.onsgmldeclaration = () => {
      throw this.#fault("is not well-formed: it has a misplaced declaration");
    };
    parser.onerror = (error) => {
      throw this.#fault(describe(error.message));
    };
  }

  write(text: string): void {
    const forbidden = FORBIDDEN.exec(text);
    this.#parser.write(forbidden === null ? text : text.slice(0, forbidden.index));
    if (forbidden === null) return;
    const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    this.#parser.column += 1;
    throw this.#fault(`contains the control character U+${code}, which XML does not allow`);
  }

  end(): void {
    this.#parser.close();
    if (!this.#sawRoot) throw new ReportFault("contains no XML element");
  }

  #attribute(name: string): void {
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES)
      throw this.#fault(`has an element with more than ${MAX_ATTRIBUTES} attributes`);
    // The parser calls `hasOwnProperty` on the attributes object, which an attribute of that name would replace.
    if (name === "hasOwnProperty") throw this.#fault(`has an attribute '${name}', which is refused`);
  }

  #open(): void {
    // The parser reports a DOCTYPE only at the DOCTYPE's end, and elements inside it can prevent that.
    if ("doctype" in this.#parser && this.#parser.doctype !== "") this.#refuseDoctype();
    if (this.#depth === 0 && this.#sawRoot)
      throw this.#fault("is not well-formed: a second root element follows the first");
    this.#sawRoot = true;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#fault(`is nested deeper than ${MAX_DEPTH} elements`);
  }

  #refuseDoctype(): never {
    throw this.#fault("has a DOCTYPE, which is refused: it could define entities and name other files");
  }

  #fault(problem: string): ReportFault {
    const { line, column } = this.#parser;
    return new ReportFault(problem, { line: line + 1, column: Math.max(column, 1) });
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

/** Describes an error by the first line of the parser's message, because the other lines quote the text. */
function describe(message: string): string {
  const [what = ""] = message.split("\n");
  if (/doctype/i.test(what)) return "has a misplaced DOCTYPE";
  if (what.startsWith("Max buffer length"))
    return `has a name, value or comment longer than ${MAX_TOKEN_CHARACTERS} characters`;
  if (/entity/i.test(what)) return "is not well-formed: it has an unknown entity or character reference";
  if (/^(?:Unclosed root tag|Unexpected end)/.test(what)) return "is truncated";
  return `is not well-formed: ${what.charAt(0).toLowerCase()}${what.slice(1).replace(/\.$/, "")}`;
}
