import * as z from "zod/mini";
import { webAddress } from "../api/names.ts";
import type { CiContext } from "../github/step/ci-context.ts";
import { azure } from "./azure.ts";
import { bitbucket } from "./bitbucket.ts";
import { buildkite } from "./buildkite.ts";
import { circleci } from "./circleci.ts";
import { codebuild } from "./codebuild.ts";
import { forgejo } from "./forgejo.ts";
import { gitlab } from "./gitlab.ts";
import { jenkins } from "./jenkins.ts";
import { plainGit } from "./plain-git.ts";
import { teamcity } from "./teamcity.ts";
import { type CiSystem, type Variables, variablesOf } from "./variables.ts";
import { woodpecker } from "./woodpecker.ts";

export type { CiContext } from "../github/step/ci-context.ts";

/** A CI system, or GitHub Actions, which `readRunner` reads. */
type Detected = CiSystem | "github";

/**
 * In the order of detection. Forgejo and Gitea set the variables of GitHub Actions too. CodeBuild hosts runners of other
 * systems, whose variables then decide. Jenkins sets generic names.
 */
const SYSTEMS: readonly Detected[] = [
  forgejo,
  "github",
  gitlab,
  bitbucket,
  azure,
  circleci,
  buildkite,
  woodpecker,
  teamcity,
  codebuild,
  jenkins,
];

/** The CI system of the job. Undefined for GitHub Actions. */
export function systemOf(variable: Variables): CiSystem | undefined {
  const found = SYSTEMS.find((system) =>
    system === "github" ? isGitHub(variable) : system.detect(variable),
  );
  if (found !== undefined) return found === "github" ? undefined : found;
  // Programs that imitate a runner of GitHub Actions set the commit.
  return variable("GITHUB_SHA") === undefined ? plainGit : undefined;
}

function isGitHub(variable: Variables): boolean {
  return variable("GITHUB_ACTIONS") === "true";
}

/**
 * Facts about the job from its variables. Undefined for GitHub Actions.
 *
 * @param event payload of the event, which Forgejo and Gitea have
 */
export function readCi(
  environment: Readonly<Record<string, string | undefined>>,
  event: Readonly<Record<string, unknown>> = {},
): CiContext | undefined {
  const variable = variablesOf(environment);
  const system = systemOf(variable);
  if (system === undefined) return undefined;
  const { run, ...facts } = system.read(variable, event);
  return { ...facts, run: run && { ...run, url: page(run.url) }, system: system.name, advice: system.advice };
}

/** Undefined for an invalid address, as from a server whose own address is not configured. */
function page(address: string | undefined): string | undefined {
  return z.safeParse(webAddress, address).data;
}
