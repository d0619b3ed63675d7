import { cut, neutralize } from "./neutral.ts";
import { issueCommand } from "./toolkit.ts";

/** The runner cuts an annotation at this many characters. */
const MAX_ANNOTATION = 4096;

/** The job log. Everything printed goes through here and is neutralised. */
export const log = {
  info(text: string): void {
    process.stdout.write(`${neutralize(text)}\n`);
  },
  /** A folded section of the log. */
  group(title: string, text: string): void {
    issueCommand("group", {}, neutralize(title));
    log.info(text);
    issueCommand("endgroup", {}, "");
  },
  notice(text: string): void {
    issueCommand("notice", {}, annotation(text));
  },
  warning(text: string): void {
    issueCommand("warning", {}, annotation(text));
  },
  error(text: string, title?: string): void {
    issueCommand("error", title === undefined ? {} : { title }, annotation(text));
  },
  debug(text: string): void {
    issueCommand("debug", {}, neutralize(text));
  },
};

function annotation(text: string): string {
  return cut(neutralize(text), MAX_ANNOTATION);
}
