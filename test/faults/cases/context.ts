import { section } from "./case.ts";

const CONTEXT = "faults/github-context.test.ts";
const UNTOLD = "%s goes on without what GitHub does not tell, and says so:";
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
    `${CONTEXT} > ${UNTOLD} > it may not be asked (403)`,
    `${CONTEXT} > ${UNTOLD} > it is hidden (404)`,
    `${COMMIT} > is what the others know, and a warning, when the token has no permission`,
  ],
  [
    "rate-limited GitHub API",
    "not waited for; fields omitted",
    `${CONTEXT} > ${UNTOLD} > the rate limit is used up for 50 minutes`,
    `${CONTEXT} > ${UNTOLD} > it asks to wait an hour`,
    `${CONTEXT} > ${UNTOLD} > it never answers`,
    `${API} > when GitHub does not tell, nothing is known and the warning says why`,
  ],
  [
    "commit message of 200 KB, author e-mail hidden, bot with null author",
    "handled",
    `${CONTEXT} > %s sends the beginning of a commit message of 200 kB, and says so`,
    `${CONTEXT} > %s describes the commit and where it was made > of the event $event`,
    `${COMMIT} > is cut between characters above that, and the cut is told`,
    `${API} > has no account for a bot whose address belongs to none`,
  ],
  [
    "tag push, workflow_dispatch, schedule, merge_group, reusable workflow, deleted branch",
    "right sha, branch, origin_url",
    `${CONTEXT} > %s describes the commit and where it was made > of the event $event`,
    `${EVENTS} > every event is described right > $event`,
    `${EVENTS} > $event: its repository, its run and its trail`,
  ],
  [
    "pull_request_target, workflow_run with an untrusted checkout",
    "a documented warning; what the checkout links to elsewhere is refused",
    `${CONTEXT} > in a workflow that outsiders start with our secrets > %s: nothing that the checkout links to elsewhere is read`,
    `${CONTEXT} > the pages say what is theirs to keep`,
  ],
  [
    "malicious branch, title, commit message; zizmor",
    "data only; no findings",
    "faults/injection.test.ts > what the event tells of branch, commit, author and repository is data to every action",
    "faults/injection.test.ts > the commits, pull requests and accounts that GitHub tells of are data",
    "e2e/composites.test.ts > what the inputs and the event hold is data to the shell of a step",
    "workflows/reusable-workflows.test.ts > has no expression in a script, and refers to our actions at its own commit alone",
  ],
  [
    "GitHub Enterprise host",
    "GITHUB_API_URL and GITHUB_SERVER_URL are used",
    `${CONTEXT} > no host of GitHub's own is asked or named on a GitHub Enterprise host`,
    "github/runner.test.ts > the runner's variables > are read from a job on GitHub Enterprise",
    "github/github-api.test.ts > at its host, through its proxy",
  ],
  [
    "a clone whose settings name programs, or that fetches what it lacks (added)",
    "nothing of it is run, whatever release git is of",
    `${CONTEXT} > git is asked about a checkout, and runs nothing that it says: > %s, with settings that name programs`,
    `${CONTEXT} > a clone that would fetch what it lacks by a program of its own, %s > as a git that knows no way to forbid it`,
  ],
  [
    "a worktree; a clone of another user; a clone that keeps git waiting (added)",
    "read; read; left after 5 s, and git is ended",
    `${CONTEXT} > a worktree, whose .git is a file, is read as well`,
    `${CONTEXT} > a clone of another user, as in a container, is read as well`,
    "github/local-git.test.ts > is read in a clone that belongs to another user",
    `${CONTEXT} > a clone whose files are pipes keeps nobody waiting, and git is ended`,
  ],
  [
    "a full disk, a folder or file that cannot be written, after the record is made (added)",
    "green, a warning with the cause, no stack trace, the connection closed; of outputs none or all are set",
    "faults/unwritable.test.ts > a full disk and a temporary folder that is gone undo nothing that any action has done",
    "github/unwritable.test.ts > %s are warnings with their cause, and the step is green",
    "github/unwritable.test.ts > of outputs that fit only in part nothing is left, since the runner would fail the step by half of one",
  ],
]);
