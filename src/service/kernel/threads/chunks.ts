import type { MessagePort } from "node:worker_threads";

type ChunkMessage = { readonly chunk: Uint8Array } | { readonly failed: unknown } | "end";

/** Sends chunks on demand until all are sent or the reader stops. @throws what the chunks throw */
export function sendChunks(port: MessagePort, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const post = (message: ChunkMessage, own: ArrayBuffer[] = []) => port.postMessage(message, own);
  return new Promise((resolve, reject) => {
    port.on("message", async () => {
      try {
        const { done, value } = await iterator.next();
        if (done) return post("end");
        // A slice of a larger buffer would copy the whole buffer.
        const chunk = new Uint8Array(value);
        post({ chunk }, [chunk.buffer]);
      } catch (error) {
        reject(error);
        post({ failed: error });
      }
    });
    // The iterator may have ended; then this does nothing.
    port.once("close", () => Promise.resolve(iterator.return?.()).then(() => resolve(), reject));
  });
}

/** Reads the chunks that another thread sends. If the reader stops, the thread is notified. */
export async function* chunksFrom(port: MessagePort): AsyncGenerator<Uint8Array> {
  let next = Promise.withResolvers<ChunkMessage>();
  let isOpen = true;
  port.on("message", (message: ChunkMessage) => next.resolve(message));
  port.once("close", () => {
    isOpen = false;
    next.reject(broken());
  });
  next.promise.catch(() => {});
  try {
    while (isOpen) {
      port.postMessage("next");
      const message = await next.promise;
      if (message === "end") return;
      if ("failed" in message) throw message.failed;
      next = Promise.withResolvers<ChunkMessage>();
      next.promise.catch(() => {});
      yield message.chunk;
    }
    throw broken();
  } finally {
    port.close();
  }
}

function broken(): Error {
  return new Error("The sending thread has ended");
}
