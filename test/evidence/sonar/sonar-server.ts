import { httpServer, json, type LocalServer } from "../../api/local-server.ts";

export interface SonarSketch {
  readonly authorization: string;
  /** States of the task, one for each request. The last one stays. */
  readonly statuses?: readonly string[];
  readonly gate?: "OK" | "ERROR" | "NONE";
  readonly revision: string;
  /** The key of the analyzed pull request. Default: a branch. */
  readonly pullRequest?: string;
  /** Paths with another response. */
  readonly instead?: Readonly<Record<string, unknown>>;
}

const CONDITIONS = [
  ["new_coverage", "LT", "80", "81.5", "OK"],
  ["new_bugs", "GT", "0", "2", "ERROR"],
].map(([metricKey, comparator, errorThreshold, actualValue, status]) => ({
  ...{ metricKey, comparator, errorThreshold, actualValue, status, periodIndex: 1 },
}));

/** Sonar with one analysis, the task of which is `AY-1`. */
export function sonarServer(sketch: SonarSketch): Promise<LocalServer> {
  const { authorization, statuses = ["SUCCESS"], gate = "OK", revision, pullRequest, instead = {} } = sketch;
  let looks = 0;
  return httpServer((response, { path, headers }) => {
    const { pathname, searchParams } = new URL(path, "http://sonar");
    const parameter = (name: string) => searchParams.get(name) ?? "";
    if (headers.authorization !== authorization) {
      response.writeHead(401).end();
      return;
    }
    const answers: Readonly<Record<string, () => unknown>> = {
      "/api/ce/task": () => {
        const status = statuses[Math.min(looks++, statuses.length - 1)];
        const done = status === "SUCCESS" && { analysisId: "AN-1" };
        const failed = status === "FAILED" && { errorMessage: "the report is too old" };
        const what = pullRequest === undefined ? { branch: "main", branchType: "LONG" } : { pullRequest };
        const task = { id: parameter("id"), componentKey: "acme:web", componentName: "Web", status };
        return parameter("id") === "AY-1" && { task: { ...task, ...what, ...done, ...failed } };
      },
      "/api/project_analyses/search": () =>
        parameter("project") === "acme:web" &&
        parameter("branch") === "main" && {
          analyses: [
            { key: "AN-2", date: "2026-11-20T12:00:00+0000", revision: "f".repeat(40) },
            { key: "AN-1", date: "2026-11-20T10:00:00+0000", revision },
          ],
        },
      "/api/project_pull_requests/list": () => ({
        pullRequests: [
          { key: pullRequest, analysisDate: "2026-11-20T11:00:00+0000", commit: { sha: revision } },
        ],
      }),
      "/api/qualitygates/project_status": () => {
        const matches =
          pullRequest === undefined
            ? parameter("analysisId") === "AN-1"
            : parameter("projectKey") === "acme:web" && parameter("pullRequest") === pullRequest;
        const conditions = gate === "NONE" ? [] : CONDITIONS;
        return matches && { projectStatus: { status: gate, conditions } };
      },
    };
    const answer = pathname in instead ? instead[pathname] : answers[pathname]?.();
    if (answer) json(response, 200, answer);
    else json(response, 404, { errors: [{ msg: `No activity found for task '${parameter("id")}'` }] });
  });
}

/** A scanner's report file. */
export const REPORT_TASK = [
  ...["projectKey=acme:web", "serverUrl=https://elsewhere.example", "serverVersion=2026.5"],
  ...["dashboardUrl=https://elsewhere.example/dashboard?id=acme%3Aweb", "ceTaskId=AY-1"],
  "ceTaskUrl=https://elsewhere.example/api/ce/task?id=AY-1\n",
].join("\n");
