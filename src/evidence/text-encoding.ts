import { TextDecoder } from "node:util";
import { ReportFault } from "./report-fault.ts";

/** Bytes at the start that may contain an XML declaration. */
const DECLARATION_BYTES = 512;

export interface TextParts {
  /** @throws ReportFault if the bytes are not in the encoding. */
  decode(part: Uint8Array): string;
  end(): string;
}

/**
 * Chooses an encoding by the byte order mark, else zero bytes around the first character, else the XML declaration,
 * else UTF-8.
 *
 * @throws ReportFault for an unknown encoding in the XML declaration
 */
export function decoderFor(start: Uint8Array): TextParts {
  const decoder = strictDecoder(wideEncoding(start) ?? declaredEncoding(start) ?? "utf-8");
  const decode = (part?: Uint8Array): string => {
    try {
      return decoder.decode(part, { stream: part !== undefined });
    } catch {
      throw new ReportFault(`is not ${decoder.encoding.toUpperCase()} text`);
    }
  };
  return { decode, end: () => decode() };
}

/**
 * Drops the byte order mark.
 *
 * @throws ReportFault if the bytes are not in the encoding of their start
 */
export function decodeText(bytes: Uint8Array): string {
  const decoder = decoderFor(bytes);
  return decoder.decode(bytes) + decoder.end();
}

function strictDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new ReportFault(`declares the unknown encoding '${label}': save it as UTF-8`);
  }
}

function wideEncoding([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0x3c && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
  if (first === 0 && second === 0x3c && third === 0 && fourth !== 0) return "utf-16be";
  return undefined;
}

/** A declaration readable as single bytes is not UTF-16, though .NET declares that for texts saved as UTF-8. */
function declaredEncoding(start: Uint8Array): string | undefined {
  const text = Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString("latin1");
  const [, label] = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'<>]{1,40})["']/.exec(text) ?? [];
  return label !== undefined && /^(?:utf-?16|ucs-?2|unicode)/i.test(label) ? undefined : label;
}
