import { MessageChannel } from "node:worker_threads";
import { expect, it } from "vitest";
import { chunksFrom, sendChunks } from "../../../../src/service/kernel/threads/chunks.ts";

async function* counting(seen: string[]): AsyncGenerator<Uint8Array> {
  try {
    for (let count = 1; count <= 1_000; count++) {
      seen.push(`made ${count}`);
      yield Buffer.from(String(count));
    }
  } finally {
    seen.push("left");
  }
}

const text = (chunk: Uint8Array) => Buffer.from(chunk).toString();

it("a streamed body arrives in order, to its end", async () => {
  const { port1, port2 } = new MessageChannel();
  const sent = sendChunks(port1, counting([]));
  const received: string[] = [];
  for await (const chunk of chunksFrom(port2)) received.push(text(chunk));
  expect(received).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index + 1)));
  await sent;
});

it("a streamed body is produced no faster than it is read, and stops when the reader leaves", async () => {
  const { port1, port2 } = new MessageChannel();
  const seen: string[] = [];
  const sent = sendChunks(port1, counting(seen));
  for await (const chunk of chunksFrom(port2)) if (text(chunk) === "2") break;
  await sent;
  expect(seen).toEqual(["made 1", "made 2", "left"]);
});

it("a streamed body fails with the sender's error, or when the sender has ended", async () => {
  const failing = new MessageChannel();
  const sent = sendChunks(
    failing.port1,
    (async function* () {
      yield Buffer.from("1");
      throw new Error("no disk");
    })(),
  );
  const read = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const _ of chunks);
  };
  const [ofSender, ofReader] = await Promise.allSettled([sent, read(chunksFrom(failing.port2))]);
  expect(ofSender).toMatchObject({ reason: new Error("no disk") });
  expect(ofReader).toMatchObject({ reason: new Error("no disk") });

  const { port1, port2 } = new MessageChannel();
  const waiting = read(chunksFrom(port2));
  port1.close();
  await expect(waiting).rejects.toThrow("has ended");
});
