import { InputError, TimeoutError } from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { basicCredentials } from "../../net/basic-credentials.ts";
import type { Deadline } from "../../net/deadline.ts";
import type { Answer } from "../../net/exchange.ts";
import { pause as wait } from "../../net/retry.ts";
import type { Question, RemoteService } from "../remote/remote-service.ts";

/** Waits between polls double up to this limit, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
/** Sonar's largest page, newest first. */
const PAGE_SIZE = "500";

export interface AnalysisQuestion {
  readonly sonar: Sonar;
  readonly address: URL;
  readonly taskId: string;
  readonly deadline: Deadline;
  readonly info: (line: string) => void;
  readonly pause?: typeof wait;
}

/**
 * Waits for the analysis, and returns it with its quality gate in the form of Sonar's webhook.
 *
 * @throws {InputError} (`sonar-report`) for a failed analysis
 * @throws {TimeoutError} if it does not finish in time
 * @throws what `RemoteService` does for a broken response
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
      throw sonar.unexpected(answer, "the finished task has no analysis");
    }
    if (status === "FAILED" || status === "CANCELED") {
      const why = asText(task["errorMessage"]) || "Sonar reports no reason";
      const problem = `the analysis of this report ${status === "FAILED" ? "failed" : "was canceled"}: ${why}`;
      throw new InputError([{ input: "sonar-report", problem }], {
        advice: "Check the background tasks of the project in Sonar.",
      });
    }
    if (status !== "PENDING" && status !== "IN_PROGRESS")
      throw sonar.unexpected(answer, "the task has no known status");
    if (waitMs > deadline.remaining) {
      const cause = `the analysis did not finish within ${deadline.seconds} s: it is ${status}`;
      throw new TimeoutError({
        what: failed(cause, { host: address.host }),
        advice: "Sonar may be busy: set a longer timeout.",
      });
    }
    info(`The analysis is ${status}. Checking again in ${waitMs / 1000} s.`);
    await pause(waitMs, deadline.signal);
  }
}

type Task = Readonly<ReturnType<typeof taskOf>>;

function taskOf(task: Untyped) {
  const fact = (name: string) => asText(task[name]);
  return {
    analysisId: fact("analysisId"),
    projectKey: fact("componentKey"),
    projectName: fact("componentName"),
    branch: fact("branch"),
    branchType: fact("branchType"),
    /** The analyzed pull request; empty for a branch. */
    pullRequest: fact("pullRequest"),
  };
}

/** Time and revision. A project's analyses do not include those of pull requests. */
async function momentOf(sonar: Sonar, task: Task): Promise<{ analysedAt: string; revision: string }> {
  const { projectKey: project, branch, pullRequest, analysisId } = task;
  if (pullRequest !== "") {
    const path = "api/project_pull_requests/list";
    const subject = `the pull requests of ${project}`;
    const { content, answer } = await sonar.ask({ path, query: { project }, subject });
    const found = asObjects(content["pullRequests"]).find(({ key }) => key === pullRequest);
    if (found === undefined) throw sonar.unexpected(answer, `pull request ${pullRequest} is not listed`);
    return {
      analysedAt: asText(found["analysisDate"]),
      revision: asText(asObject(found["commit"])["sha"]),
    };
  }
  const query = { project, ps: PAGE_SIZE, ...(branch !== "" && { branch }) };
  const subject = `the analyses of ${project}`;
  const { content, answer } = await sonar.ask({ path: "api/project_analyses/search", query, subject });
  const found = asObjects(content["analyses"]).find(({ key }) => key === analysisId);
  if (found === undefined) throw sonar.unexpected(answer, `analysis ${analysisId} is not listed`);
  return { analysedAt: asText(found["date"]), revision: asText(found["revision"]) };
}

async function gateOf(sonar: Sonar, { analysisId, projectKey, pullRequest }: Task) {
  const query: Readonly<Record<string, string>> =
    pullRequest === "" ? { analysisId } : { projectKey, pullRequest };
  const subject = "the quality gate";
  const { content, answer } = await sonar.ask({ path: "api/qualitygates/project_status", query, subject });
  const gate = asObject(content["projectStatus"]);
  const status = asText(gate["status"]);
  if (status === "") throw sonar.unexpected(answer, "the quality gate has no status");
  return { status, conditions: asObjects(gate["conditions"]).map(conditionOf) };
}

/** Webhook and API name the fields of a condition differently. */
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

/** The hosted service does not accept the token as basic credentials. */
const HOSTED = /(^|\.)(sonarcloud\.io|sonarqube\.us)$/;

interface SonarQuestion extends Required<Omit<Question, "authorization" | "body">> {
  /** For messages: `the task AY1`. */
  readonly subject: string;
}

/** Servers before 10.0 accept the token only as the user of an empty password. */
export class Sonar {
  readonly #service: RemoteService;
  readonly #basic: string | undefined;
  #authorization: string;

  constructor(service: RemoteService, address: URL, token: string) {
    this.#service = service;
    this.#authorization = `Bearer ${token}`;
    this.#basic = HOSTED.test(address.hostname) ? undefined : `Basic ${basicCredentials(token)}`;
  }

  /** @throws what `RemoteService` does for a broken response */
  async ask({ path, query, subject }: SonarQuestion): Promise<{ content: Untyped; answer: Answer }> {
    let answer = await this.#service.ask({ path, query, authorization: this.#authorization });
    if (answer.status === 401 && this.#basic !== undefined && this.#authorization !== this.#basic) {
      this.#authorization = this.#basic;
      answer = await this.#service.ask({ path, query, authorization: this.#authorization });
    }
    return { content: asObject(this.#service.read(answer, subject)), answer };
  }

  unexpected(answer: Answer, what: string): Error {
    return this.#service.unexpected(answer, what);
  }
}
