import { InputError, TimeoutError } from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { Deadline } from "../../net/deadline.ts";
import { pause as wait } from "../../net/retry.ts";
import type { Sonar } from "./sonar.ts";

/** The first look comes at once; the waits between looks double up to this, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
/** The most analyses that Sonar lists at a time, the newest first. */
const PAGE_SIZE = "500";

export interface AnalysisQuestion {
  readonly sonar: Sonar;
  /** Ends with a slash. */
  readonly address: URL;
  /** The task that a scanner handed in. */
  readonly taskId: string;
  readonly deadline: Deadline;
  /** Told while the analysis is waited for. */
  readonly info: (line: string) => void;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof wait;
}

/** A finished task. */
interface Task {
  readonly analysisId: string;
  readonly projectKey: string;
  readonly projectName: string;
  readonly branch: string;
  readonly branchType: string;
  /** The key of the pull request that was analysed; empty for a branch. */
  readonly pullRequest: string;
}

/**
 * An analysis with its quality gate, as Sonar's webhook would tell it. While it is not done, it is waited for.
 *
 * @throws {InputError} (`sonar-report`) for an analysis that failed
 * @throws {TimeoutError} for one that is not done in time
 * @throws what `RemoteService` does when Sonar does not answer as it should
 */
export async function readAnalysis(question: AnalysisQuestion) {
  const { sonar, address, taskId } = question;
  const task = await finishedTask(question);
  const { projectKey: key, projectName: name, branch, branchType: type, pullRequest } = task;
  const [{ analysedAt, revision }, qualityGate] = [await momentOf(sonar, task), await gateOf(sonar, task)];
  const serverUrl = address.href.replace(/\/$/, "");
  return {
    serverUrl,
    taskId,
    status: "SUCCESS",
    analysedAt,
    revision,
    project: { key, name, url: `${serverUrl}/dashboard?id=${encodeURIComponent(key)}` },
    ...(pullRequest === "" && branch !== "" && { branch: { name: branch, ...(type !== "" && { type }) } }),
    ...(pullRequest !== "" && { pullRequest }),
    qualityGate,
  };
}

async function finishedTask(question: AnalysisQuestion): Promise<Task> {
  const { sonar, address, taskId, deadline, info, pause = wait } = question;
  const subject = `the task ${taskId}`;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const { content, answer } = await sonar.ask({ path: "api/ce/task", query: { id: taskId }, subject });
    const task = asObject(content["task"]);
    const status = asText(task["status"]);
    if (status === "SUCCESS") {
      const finished = taskOf(task);
      if (finished.analysisId !== "" && finished.projectKey !== "") return finished;
      throw sonar.unexpected(answer, "the task is done, and names no analysis");
    }
    if (status === "FAILED" || status === "CANCELED") {
      const why = asText(task["errorMessage"]) || "Sonar does not say why";
      const problem = `the analysis that it names ${status === "FAILED" ? "failed" : "was cancelled"}: ${why}`;
      throw new InputError([{ input: "sonar-report", problem }], {
        advice: "Look at the background tasks of the project in Sonar.",
      });
    }
    if (status !== "PENDING" && status !== "IN_PROGRESS")
      throw sonar.unexpected(answer, "it does not tell how far the task is");
    if (waitMs > deadline.remaining) {
      throw new TimeoutError({
        what: failed(`the analysis is not done within ${deadline.seconds} s: it is ${status}`, {
          host: address.host,
        }),
        advice: "Sonar may be busy: allow more time with timeout.",
      });
    }
    info(`The analysis is ${status}. Looking again in ${waitMs / 1000} s.`);
    await pause(waitMs, deadline.signal);
  }
}

function taskOf(task: Untyped): Task {
  const fact = (name: string) => asText(task[name]);
  return {
    analysisId: fact("analysisId"),
    projectKey: fact("componentKey"),
    projectName: fact("componentName"),
    branch: fact("branch"),
    branchType: fact("branchType"),
    pullRequest: fact("pullRequest"),
  };
}

/** When what was analysed. The analyses of pull requests are not among those of the project. */
async function momentOf(sonar: Sonar, task: Task): Promise<{ analysedAt: string; revision: string }> {
  const { projectKey: project, branch, pullRequest, analysisId } = task;
  if (pullRequest !== "") {
    const path = "api/project_pull_requests/list";
    const subject = `the pull requests of ${project}`;
    const { content, answer } = await sonar.ask({ path, query: { project }, subject });
    const found = asObjects(content["pullRequests"]).find(({ key }) => key === pullRequest);
    if (found === undefined) throw sonar.unexpected(answer, `it does not list pull request ${pullRequest}`);
    return {
      analysedAt: asText(found["analysisDate"]),
      revision: asText(asObject(found["commit"])["sha"]),
    };
  }
  const query = { project, ps: PAGE_SIZE, ...(branch !== "" && { branch }) };
  const subject = `the analyses of ${project}`;
  const { content, answer } = await sonar.ask({ path: "api/project_analyses/search", query, subject });
  const found = asObjects(content["analyses"]).find(({ key }) => key === analysisId);
  if (found === undefined) throw sonar.unexpected(answer, `it does not list analysis ${analysisId}`);
  return { analysedAt: asText(found["date"]), revision: asText(found["revision"]) };
}

async function gateOf(sonar: Sonar, { analysisId, projectKey, pullRequest }: Task) {
  const query: Readonly<Record<string, string>> =
    pullRequest === "" ? { analysisId } : { projectKey, pullRequest };
  const subject = "the quality gate";
  const { content, answer } = await sonar.ask({ path: "api/qualitygates/project_status", query, subject });
  const gate = asObject(content["projectStatus"]);
  const status = asText(gate["status"]);
  if (status === "") throw sonar.unexpected(answer, "it does not tell the status of the gate");
  return { status, conditions: asObjects(gate["conditions"]).map(conditionOf) };
}

/** A condition in the words of Sonar's webhook, which are others than those of its interface. */
function conditionOf(condition: Untyped) {
  const { metricKey, comparator, errorThreshold, actualValue, status } = condition;
  return {
    metric: asText(metricKey),
    errorThreshold: asText(errorThreshold),
    operator: asText(comparator),
    status: asText(status),
    ...(typeof actualValue === "string" && { value: actualValue }),
  };
}
