import { InputError } from "../../api/client/errors.ts";
import { asObject, asText } from "../../api/untyped.ts";
import type { RemoteService } from "../remote/remote-service.ts";

/** An issue as the interface takes it. */
export interface LookedUpIssue {
  readonly issueId: string;
  readonly issueUrl: string;
  readonly issueExists: boolean;
}

/** More than a change names on purpose; each is a request. */
const MAX_KEYS = 50;
/** No issue has a field of this name: only its key is asked for. */
const NO_FIELDS = "none";

export interface JiraQuestion {
  readonly jira: RemoteService;
  /** Ends with a slash. */
  readonly address: URL;
  readonly authorization: string;
  readonly keys: readonly string[];
}

/**
 * Asks Jira which issues there are. One that was moved is told by its new key as well.
 *
 * @throws {InputError} (`jira-token`) when Jira does not know who asks: it would call every issue missing
 * @throws what `RemoteService` does when Jira does not answer as it should
 */
export async function lookUpIssues({ keys, ...question }: JiraQuestion): Promise<LookedUpIssue[]> {
  if (keys.length > MAX_KEYS) {
    const problem = `the commit and its pull requests name ${keys.length} issues; at most ${MAX_KEYS} are looked up`;
    throw new InputError([{ input: "jira-projects", problem }], {
      advice: "Name the projects whose issues count, or give the issues as `data`.",
    });
  }
  const issues = new Map<string, LookedUpIssue>();
  for (const key of keys) for (const issue of await lookUp(key, question)) issues.set(issue.issueId, issue);
  const found = [...issues.values()];
  if (found.some(({ issueExists }) => !issueExists)) await requireLogin(question);
  return found;
}

type Asking = Omit<JiraQuestion, "keys">;

async function lookUp(key: string, { jira, address, authorization }: Asking): Promise<LookedUpIssue[]> {
  const path = `rest/api/2/issue/${key}`;
  const answer = await jira.ask({ path, query: { fields: NO_FIELDS }, authorization });
  const issue = (issueId: string, issueExists: boolean) => ({
    issueId,
    issueUrl: `${address.href}browse/${issueId}`,
    issueExists,
  });
  if (answer.status === 404) return [issue(key, false)];
  const known = asText(asObject(jira.read(answer, `the issue ${key}`))["key"]);
  if (!/^[A-Z]\w*-\d+$/i.test(known)) throw jira.unexpected(answer, "it is not an issue");
  return known === key ? [issue(key, true)] : [issue(key, true), issue(known, true)];
}

/** Jira hides issues from who is not logged in, and does so in the words by which it says that there are none. */
async function requireLogin({ jira, authorization }: Asking): Promise<void> {
  const who = "who the token is of";
  jira.read(await jira.ask({ path: "rest/api/2/myself", authorization }), who);
}
