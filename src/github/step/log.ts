import { posix } from "node:path";
import type { FilePlace } from "../../api/client/errors.ts";
import { withoutSecrets } from "./masking.ts";
import { cut, neutralize } from "./neutral.ts";
import { issueCommand } from "./toolkit.ts";

/** Maximum length of an annotation in characters. The runner cuts longer ones. */
const MAX_ANNOTATION = 4096;

/** The job log. All output goes through here: it is neutralized, and known secrets are masked. */
export const log = {
  info(text: string): void {
    process.stdout.write(`${inert(text)}\n`);
  },
  /** Writes a folded section. */
  group(title: string, text: string): void {
    issueCommand("group", {}, inert(title));
    log.info(text);
    issueCommand("endgroup", {}, "");
  },
  warning(text: string): void {
    issueCommand("warning", {}, annotation(text));
  },
  /** @param place of the annotation in the repository */
  error(text: string, title?: string, place?: FilePlace): void {
    const properties = {
      ...(title !== undefined && { title: annotation(title) }),
      // GitHub finds no `./a.yml`.
      ...(place && { ...place, file: posix.normalize(place.file) }),
    };
    issueCommand("error", properties, annotation(text));
  },
  debug(text: string): void {
    issueCommand("debug", {}, inert(text));
  },
};

function annotation(text: string): string {
  return cut(inert(text), MAX_ANNOTATION);
}

/**
 * Masks secrets, because the runner masks them only in its own log, not for other readers of a step's output. Masks
 * twice, because neutralizing may alter a secret, or join parts of a server's text to one.
 */
function inert(text: string): string {
  return withoutSecrets(neutralize(withoutSecrets(text)));
}
