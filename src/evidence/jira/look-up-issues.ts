import { InputError } from "../../api/client/errors.ts";
import { asObject, asText } from "../../api/untyped.ts";
import type { RemoteService } from "../remote/remote-service.ts";

/** At least two letters or digits, as in Jira. */
const ANY_PROJECT = "[A-Z][A-Z0-9]{1,9}";
const PROJECT_KEY = /^[A-Za-z][A-Za-z0-9_]{1,9}$/;

/**
 * Finds issue keys such as `WEB-7` in texts, in any case, unique and sorted. A further hyphen and digit make it
 * something else: `CVE-2026-41284`.
 *
 * @param projects project keys; any if empty
 * @throws {InputError} (`jira-projects`) for an invalid project key
 */
export function issueKeyFinder(projects: readonly string[]): (texts: readonly string[]) => string[] {
  const wrong = projects.filter((project) => !PROJECT_KEY.test(project));
  if (wrong.length > 0) {
    throw new InputError(
      wrong.map((project) => ({
        input: "jira-projects",
        problem: `'${project}' is not a valid project key, which is the part of an issue key before the hyphen`,
      })),
    );
  }
  const project = projects.length === 0 ? ANY_PROJECT : `(?:${projects.join("|").toUpperCase()})`;
  const key = new RegExp(`\\b${project}-\\d+(-\\d)?`, "g");
  return (texts) => {
    const matches = texts.join("\n").toUpperCase().matchAll(key);
    const keys = [...matches].flatMap(([match, more]) => (more === undefined ? match : []));
    return [...new Set(keys)].sort();
  };
}

export interface LookedUpIssue {
  readonly issueId: string;
  readonly issueUrl: string;
  readonly issueExists: boolean;
}

/** Maximum number of issue keys. Each needs a request, and no real change names more. */
const MAX_KEYS = 50;
/** A field name that no issue has, so that only the key is returned. */
const NO_FIELDS = "none";

export interface JiraQuestion {
  readonly jira: RemoteService;
  readonly address: URL;
  readonly authorization: string;
  readonly keys: readonly string[];
}

/**
 * Reads issues from Jira. A moved issue is also returned under its new key.
 *
 * @throws {InputError} (`jira-token`) for an anonymous request: Jira would report every issue as missing
 * @throws what `RemoteService` does for a broken response
 */
export async function lookUpIssues({ keys, ...question }: JiraQuestion): Promise<LookedUpIssue[]> {
  if (keys.length > MAX_KEYS) {
    const problem = `the commit and its pull requests name ${keys.length} issues; at most ${MAX_KEYS} are looked up`;
    throw new InputError([{ input: "jira-projects", problem }], {
      advice: "Set jira-projects to the projects whose issues count, or set `data` to the issues.",
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
  if (!/^[A-Z]\w*-\d+$/i.test(known)) throw jira.unexpected(answer, "not an issue");
  return known === key ? [issue(key, true)] : [issue(key, true), issue(known, true)];
}

/** Jira reports issues as missing to callers that are not logged in. */
async function requireLogin({ jira, authorization }: Asking): Promise<void> {
  const who = "the token's account";
  jira.read(await jira.ask({ path: "rest/api/2/myself", authorization }), who);
}
