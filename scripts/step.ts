/*
 * Runs an action like a step of a job, and prints its log and summary:
 *
 *   npm run step -- attest org=acme flow=web trail=first name=lint compliant=true
 *
 * Set EVIDENCE_BASE_URL and EVIDENCE_API_KEY to the service and its key. Other EVIDENCE_ variables work as in a job. In
 * a checkout, the step detects the commit, branch and repository. GITHUB_REPOSITORY names another repository. The default
 * of origin-url is the page of the commit. With dry-run=true, the output contains the requests.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { actions } from "../src/actions/actions.ts";
import { didYouMean } from "../src/cli/usage.ts";
import { type GitHubContext, runComposite, type StepRun } from "./composite/composite.ts";
import { localContext } from "./composite/local-context.ts";
import { uploadArtifact } from "./composite/upload-artifact.ts";
import { summaryText } from "./demo/summary-text.ts";

const names = actions.map(({ name }) => name);
const [name = "", ...given] = process.argv.slice(2);
const action = actions.find((each) => each.name === name);
const incomplete = given.find((text) => !text.includes("="));
if (!action || incomplete !== undefined) {
  const problem = action
    ? `Inputs must be NAME=VALUE, got '${incomplete}'`
    : `Unknown action '${name}'${didYouMean(name, names)}`;
  process.stderr.write(
    `${problem}\nUsage: npm run step -- ACTION NAME=VALUE …\nActions: ${names.join(", ")}\n`,
  );
  process.exit(2);
}
const inputs: string[][] = given.map((text) => [
  text.slice(0, text.indexOf("=")),
  text.slice(text.indexOf("=") + 1),
]);
const { EVIDENCE_API_KEY: apiKey = "", GITHUB_REPOSITORY: repository } = process.env;
const variables = Object.entries(process.env).flatMap(([variable, value]) =>
  variable.startsWith("EVIDENCE_") && value !== undefined ? [[variable, value] as const] : [],
);

// The user's folder, because npm runs scripts in the package's folder.
const workspace = process.env["INIT_CWD"] ?? process.cwd();
const github: GitHubContext = { ...localContext(workspace), ...(repository && { repository }) };
if ("origin-url" in action.inputs && github["repository"] && github["sha"]) {
  const { server_url: server = "https://github.com", sha } = github;
  inputs.unshift(["origin-url", `${server}/${github["repository"]}/commit/${sha}`]);
}

/** The page of the log, with the requests of a dry run. */
function shownLog({ page, log }: StepRun): string {
  const begin = log.indexOf("▼ Dry run:");
  return begin < 0 ? page : page.replace(/▶ Dry run:.*/s, () => log.slice(begin));
}

const tempDir = await mkdtemp(join(tmpdir(), "delivery-evidence-step-"));
try {
  const run = await runComposite({
    actionFolder: fileURLToPath(new URL(`../actions/${name}`, import.meta.url)),
    with: Object.fromEntries(inputs),
    env: Object.fromEntries(variables),
    workspace,
    tempDir,
    github,
    uses: { "actions/upload-artifact": uploadArtifact(join(workspace, "artifacts")) },
    masks: apiKey === "" ? [] : [apiKey],
  });
  process.stdout.write(`${shownLog(run)}\n${summaryText(run.summary)}`);
  process.exitCode = run.exitCode;
} finally {
  await rm(tempDir, { recursive: true, force: true });
}
