import type { FileAnswer } from "../../../api/operation.ts";
import type { Raw } from "../page.ts";

/** A file that is saved and never shown, so that nothing in it can run here. */
export function download({ name, content }: FileAnswer): Raw {
  return {
    raw: {
      mediaType: "application/octet-stream",
      // Handlers give bytes, or a stream of them.
      body: content as Raw["raw"]["body"],
      headers: { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
    },
  };
}
