import { posix } from "node:path";
import type { FilePlace } from "../../api/client/errors.ts";
import { withoutSecrets } from "./masking.ts";
import { cut, neutralize } from "./neutral.ts";
import { issueCommand } from "./toolkit.ts";

/** The runner cuts an annotation at this many characters. */
const MAX_ANNOTATION = 4096;

/** The job log. Everything printed goes through here, is neutralised, and shows no secret that is known. */
export const log = {
  info(text: string): void {
    process.stdout.write(`${inert(text)}\n`);
  },
  /** A folded section of the log. */
  group(title: string, text: string): void {
    issueCommand("group", {}, inert(title));
    log.info(text);
    issueCommand("endgroup", {}, "");
  },
  warning(text: string): void {
    issueCommand("warning", {}, annotation(text));
  },
  /** @param place where in the repository, for the annotation to be shown there */
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
 * The runner hides what it was told to hide by itself, but not in what others read of a step's output. Neutralising
 * may alter a secret, and may put one together from the parts of what a server sent.
 */
function inert(text: string): string {
  return withoutSecrets(neutralize(withoutSecrets(text)));
}
