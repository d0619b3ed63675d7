import { section } from "./case.ts";

const COMMIT = "github/commit.test.ts";
const EVENTS = "github/events.test.ts";
const API = "github/commit-api.test.ts";

/** GitHub context. */
export const GITHUB_CONTEXT = section(5, [
  [
    "pull_request",
    "attests the head SHA, not the merge commit",
    "e2e/composites.test.ts > a pull request is attested at its head, not at the merge GitHub made to try it",
    `${COMMIT} > are never the trial merge's, whatever the payload holds`,
  ],
  [
    "permissions: {}",
    "fields omitted, warning, exit 0",
    `${COMMIT} > is what the others know, and a warning, when the token has no permission`,
  ],
  [
    "rate-limited GitHub API",
    "not waited for; fields omitted",
    `${API} > when GitHub does not tell, nothing is known and the warning says why`,
  ],
  [
    "commit message of 200 KB, author e-mail hidden, bot with null author",
    "handled",
    `${COMMIT} > is cut between characters above that, and the cut is told`,
    `${API} > has no account for a bot whose address belongs to none`,
  ],
  [
    "tag push, workflow_dispatch, schedule, merge_group, reusable workflow, deleted branch",
    "right sha, branch, origin_url",
    `${EVENTS} > every event is described right > $event`,
    `${EVENTS} > $event: its repository, its run and its trail`,
  ],
  ["pull_request_target, workflow_run with an untrusted checkout", "a documented warning, or refused"],
  [
    "malicious branch, title, commit message; zizmor",
    "data only; no findings",
    "faults/injection.test.ts > what the event tells of branch, commit, author and repository is data to every action",
    "faults/injection.test.ts > the commits, pull requests and accounts that GitHub tells of are data",
    "workflows/reusable-workflows.test.ts > has no expression in a script, and refers to our actions at its own commit alone",
  ],
  [
    "GitHub Enterprise host",
    "GITHUB_API_URL and GITHUB_SERVER_URL are used",
    "github/runner.test.ts > the runner's variables > are read from a job on GitHub Enterprise",
    "github/github-api.test.ts > at its host, through its proxy",
  ],
]);
