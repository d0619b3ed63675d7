import { keepCheckRun } from "../../github/api/check-runs.ts";
import { type KeptComment, keepComment } from "../../github/api/comments.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { askGitHub, type GitHub } from "../../github/api/github-api.ts";
import { isFromFork } from "../../github/event/event-pull-request.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { backoff } from "../../net/retry.ts";
import { keyOf, markerOf, type Place } from "./marker.ts";
import type { TrailReport } from "./trail-report.ts";

/** For each request, in milliseconds: there may be 25 pages of comments. */
const TIME_LIMIT_MS = 30_000;
const RETRY = { attempts: 3, waitMs: backoff };

export interface Shown {
  readonly report: TrailReport;
  readonly place: Place & { readonly url: string };
  /** Undefined without a pull request to comment on. */
  readonly number: number | undefined;
  readonly checkRun: boolean;
  readonly commit: string | undefined;
  readonly token: string | undefined;
}

export interface Kept {
  readonly status: KeptComment["status"] | "none" | "not-written";
  readonly commentUrl: string;
  readonly checkRunUrl: string;
}

/** Writes the comment and, if requested, the check run. Refusals by GitHub become warnings. */
export async function keep(shown: Shown, context: ActionContext): Promise<Kept> {
  const { number, checkRun } = shown;
  const comment = number === undefined ? undefined : await comments(number, shown, context);
  const checkRunUrl = checkRun ? await checkRuns(shown, context) : "";
  const missing = number === undefined ? "none" : "not-written";
  return { status: comment?.status ?? missing, commentUrl: comment?.url ?? "", checkRunUrl };
}

async function comments(number: number, { report, place, token }: Shown, context: ActionContext) {
  const what = `The comment on pull request #${number}`;
  const question = { number, marker: markerOf(place), text: `${report.text}\n` };
  const comment = await write(what, token, context, (github) => keepComment(github, question));
  if (comment) context.info(`${what} is ${comment.status}: ${comment.url}`);
  return comment;
}

async function checkRuns({ report, place, token, commit }: Shown, context: ActionContext): Promise<string> {
  if (commit === undefined) {
    context.warn("The check run is not written: the event has no commit. Give commit.");
    return "";
  }
  const { state, title, text } = report;
  const url = await write(`The check run on commit ${commit}`, token, context, (github) =>
    keepCheckRun(github, {
      sha: commit,
      name: `Evidence: ${place.flow}`,
      externalId: keyOf(place),
      // A required check must not pass while evidence is missing.
      conclusion: state === "COMPLIANT" ? "success" : "failure",
      title,
      summary: text,
      detailsUrl: place.url,
    }),
  );
  return url ?? "";
}

/** @param what the subject of the warning's sentence */
async function write<T>(
  what: string,
  token: string | undefined,
  { runner, signal, warn }: ActionContext,
  work: (github: GitHub) => Promise<T>,
): Promise<T | undefined> {
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) {
    const lacks = token ? "the variable GITHUB_REPOSITORY" : "github-token";
    warn(`${what} is not written: ${lacks} is empty.`);
    return undefined;
  }
  const result = await askGitHub({ ...address, timeLimitMs: TIME_LIMIT_MS, retry: RETRY }, work);
  if ("answer" in result) return result.answer;
  const { fault } = result;
  const advice = fault.status === 403 && isFromFork(runner) ? FORK : fault.advice;
  warn([`${what} is not written: ${fault.message}.`, advice].filter(Boolean).join("\n"));
  return undefined;
}

const FORK =
  "The pull request comes from a fork, whose runs have a token that only reads, whatever the workflow permits. A workflow on workflow_run may write: give it pull-request.";
