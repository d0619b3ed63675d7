import { type Runner, readRunner } from "../github/step/runner.ts";
import { withClone } from "./clone.ts";
import { type CiContext, readCi, systemOf } from "./context.ts";
import { variablesOf } from "./variables.ts";

/** Facts about the job on any CI system, or about the clone around the folder. */
export async function readJob(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string = process.cwd(),
): Promise<Runner> {
  const runner = readRunner({ ...environment });
  const fromVariables = readCi(environment, runner.event);
  if (fromVariables === undefined) return runner;
  const fromClone = systemOf(variablesOf(environment))?.fromClone;
  const ci = await withClone(fromVariables, fromClone, { folder, env: runner.childEnv });
  return {
    ci,
    event: {},
    warnings: runner.warnings,
    sha: ci.commit,
    runId: ci.run?.id,
    runAttempt: ci.run?.attempt,
    runUrl: ci.run?.url,
    actor: ci.actor,
    workspace: runner.workspace,
    tempDir: runner.tempDir,
    childEnv: runner.childEnv,
    ...gitHubOf(ci, runner),
  };
}

/** A repository at GitHub, so that a token can read its commits and pull requests from jobs of other systems. */
function gitHubOf(
  { repository }: CiContext,
  { serverUrl, apiUrl }: Runner,
): Pick<Runner, "apiUrl" | "repository" | "repositoryId" | "serverUrl"> {
  if (repository?.provider !== "github") return { serverUrl, apiUrl };
  const { origin, host } = new URL(repository.url);
  return {
    repository: repository.name,
    repositoryId: repository.id ?? undefined,
    serverUrl: origin,
    apiUrl: host === "github.com" || host.endsWith(".ghe.com") ? `https://api.${host}` : `${origin}/api/v3`,
  };
}
