/** A request body that each attempt can send again with the same bytes. */
export interface BodySource {
  readonly contentType: string;
  /** In bytes. */
  readonly contentLength: number;
  open(): AsyncIterable<Uint8Array>;
}

export function bodyOf(contentType: string, content: string | Uint8Array): BodySource {
  const bytes = Buffer.from(content);
  return {
    contentType,
    contentLength: bytes.byteLength,
    async *open() {
      yield bytes;
    },
  };
}

/** Keeps an error of the body itself, which undici would report as a broken connection. */
export function watched(body: BodySource): { bytes: AsyncIterable<Uint8Array>; error?: unknown } {
  const state: { bytes: AsyncIterable<Uint8Array>; error?: unknown } = { bytes: read() };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* body.open();
    } catch (error) {
      state.error = error;
      throw error;
    }
  }
  return state;
}
