import * as z from "zod/mini";
import type { Runner } from "../step/runner.ts";
import { number, part, text } from "./lenient.ts";

const payload = z.object({
  pull_request: part({ number, head: part({ repo: part({ full_name: text }) }) }),
  issue: part({ number, pull_request: part({ url: text }) }),
});

/** The number of the pull request that the event is about; undefined when it is about none. */
export function pullRequestNumber({ event }: Runner): number | undefined {
  const { pull_request: pullRequest, issue } = z.parse(payload, event);
  return pullRequest?.number ?? (issue?.pull_request ? issue.number : undefined);
}

/** Whether the event's pull request comes from another repository, be it there still or not. */
export function isFromFork({ event, repository }: Runner): boolean {
  const head = z.parse(payload, event).pull_request?.head;
  return head !== undefined && head.repo?.full_name?.toLowerCase() !== repository?.toLowerCase();
}
