import type { ServerResponse } from "node:http";

/**
 * A body that is told apart when it cannot be made to its end. Its status is out by then, so the connection is cut:
 * the reader sees that something is missing. The adapter never hears of the fault. It would print it, and send its
 * words to the reader.
 *
 * @param failed takes what went wrong
 */
export function sentStream(
  body: ReadableStream<Uint8Array>,
  outgoing: Pick<ServerResponse, "destroy">,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failed(error);
        outgoing.destroy();
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
