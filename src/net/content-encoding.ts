import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from "node:zlib";

/** Maximum number of encodings: more than any server adds. Each could be a decompression bomb. */
const MAX_LAYERS = 4;

const gunzipped = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
const inflated = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const inflatedBare = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);
const unbrotlied = promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress);

/** Reason why a body cannot be decoded, such as `the response has an unknown Content-Encoding: 'zstd'`. */
export class Undecodable extends Error {}

/** Decodes the `Content-Encoding` of a body, with at most `maxBytes` after each step. @throws {Undecodable} */
export async function decodeBody(body: Buffer, encodings: string, maxBytes: number): Promise<Buffer> {
  const names = encodings.toLowerCase().split(",");
  const applied = names.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
  if (applied.length > MAX_LAYERS) throw new Undecodable(`the response is encoded ${applied.length} times`);
  let bytes = body;
  for (const name of applied.toReversed()) bytes = await decodeOnce(bytes, name, maxBytes);
  return bytes;
}

async function decodeOnce(bytes: Buffer, name: string, maxOutputLength: number): Promise<Buffer> {
  try {
    return await decoding(name, bytes, { maxOutputLength });
  } catch (cause) {
    if (cause instanceof Undecodable) throw cause;
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE") {
      throw new Undecodable(`the response is larger than ${maxOutputLength / 1024 / 1024} MB`);
    }
    throw new Undecodable(`the response does not match its Content-Encoding: '${name}'`, { cause });
  }
}

function decoding(name: string, bytes: Buffer, options: ZlibOptions): Promise<Buffer> {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return gunzipped(bytes, options);
    case "deflate":
      // Some servers omit the zlib header, whose first byte ends in 8.
      return (bytes[0] ?? 0) % 16 === 8 ? inflated(bytes, options) : inflatedBare(bytes, options);
    case "br":
      return unbrotlied(bytes, options);
    default:
      throw new Undecodable(`the response has an unknown Content-Encoding: '${name}'`);
  }
}
