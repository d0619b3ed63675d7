import { cut, neutralize } from "./neutral.ts";
import { issueCommand } from "./toolkit.ts";

/** The runner cuts an annotation at this many characters. */
const MAX_ANNOTATION = 4096;

/** A file, relative to the workspace, and a line in it, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}

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
  /** @param place where in the repository, for the annotation to be shown there */
  error(text: string, title?: string, place?: Place): void {
    const properties = { ...(title !== undefined && { title: annotation(title) }), ...place };
    issueCommand("error", properties, annotation(text));
  },
  debug(text: string): void {
    issueCommand("debug", {}, neutralize(text));
  },
};

function annotation(text: string): string {
  return cut(neutralize(text), MAX_ANNOTATION);
}
