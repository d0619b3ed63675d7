import type { BodySource } from "../../net/body.ts";
import type { FileToSend } from "../files.ts";
import { InputError } from "./errors.ts";

export interface MultipartParts {
  /** Text parts by name, sent without a file name, or a service would read them as files. */
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly files: readonly (readonly [name: string, file: FileToSend])[];
}

/**
 * Makes a multipart/form-data body (RFC 7578, with names quoted as in WHATWG HTML). Files are read while they are sent,
 * so memory use does not depend on their size.
 */
export function multipartBody(
  parts: MultipartParts,
  boundary = `evidence-${crypto.randomUUID()}`,
): BodySource {
  const pieces: (Uint8Array | FileToSend)[] = [];
  for (const [name, text] of parts.texts) {
    const disposition = `form-data; name="${quote(name)}"`;
    pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${text}\r\n`));
  }
  for (const [name, file] of parts.files) {
    const type = file.content.type || "application/octet-stream";
    const disposition = `form-data; name="${quote(name)}"; filename="${quote(file.name)}"`;
    pieces.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`),
      file,
      Buffer.from("\r\n"),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: pieces.reduce((sum, p) => sum + ("content" in p ? p.content.size : p.byteLength), 0),
    async *open() {
      for (const piece of pieces) {
        if ("content" in piece) yield* bytesOf(piece);
        else yield piece;
      }
    },
  };
}

function quote(name: string): string {
  return name.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}

/** @throws {InputError} with the file's name, if it changed or vanished */
async function* bytesOf(file: FileToSend): AsyncGenerator<Uint8Array> {
  try {
    yield* file.content.stream();
  } catch (cause) {
    throw new InputError(
      [{ input: file.path ?? file.name, problem: "was changed or removed while it was sent" }],
      { advice: "Attach files only after the step that writes them has ended.", cause },
    );
  }
}
