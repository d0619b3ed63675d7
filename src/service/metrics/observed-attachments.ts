import type { AttachmentTask, Metrics } from "../ops/metrics.ts";
import type { Attachments } from "../store/blobs/attachments.ts";

/** Attachments that count what is kept of them, and what goes wrong. */
export function observedAttachments(
  attachments: Attachments,
  metrics: Pick<Metrics, "attachmentsReceived" | "attachmentFailed">,
): Attachments {
  const counted = async <T>(task: AttachmentTask, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      metrics.attachmentFailed(task);
      throw error;
    }
  };
  return {
    ...attachments,
    async keepFor(files, record) {
      // They are kept once the record begins; what goes wrong after that is not theirs.
      let recording: ReturnType<typeof record> | undefined;
      const begin = () => {
        metrics.attachmentsReceived(files.reduce((sum, { size }) => sum + size, 0));
        recording = record();
        return recording;
      };
      try {
        return await attachments.keepFor(files, begin);
      } catch (error) {
        if (recording === undefined) metrics.attachmentFailed("keep");
        throw error;
      }
    },
    conditionOf: (sha256) => counted("check", attachments.conditionOf(sha256)),
    glance: (file) => counted("check", attachments.glance(file)),
    contentOf: (sha256) => ReadableStream.from(chunks(attachments.contentOf(sha256))),
  };

  async function* chunks(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      metrics.attachmentFailed("read");
      throw error;
    }
  }
}
