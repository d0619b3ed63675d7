import { expect, test } from "vitest";
import { readReportTask } from "../../../src/evidence/sonar/report-task.ts";
import { refusal } from "../refusal.ts";
import { planted } from "../temporary-directory.ts";
import { REPORT_TASK } from "./sonar-server.ts";

test.each([
  ".scannerwork/report-task.txt",
  "target/sonar/report-task.txt",
  "build/sonar/report-task.txt",
  ".sonarqube/out/.sonar/report-task.txt",
])("a scanner's report is found at %s", async (path) => {
  expect(await readReportTask(undefined, planted({ [path]: REPORT_TASK }))).toEqual({ path, taskId: "AY-1" });
});

test("the named report is read, with Windows line ends and the task only in its address", async () => {
  const text = "projectKey=web\r\nceTaskUrl=https://sonar.example/api/ce/task?id=AZ_2\r\n";
  expect((await readReportTask("a/b.txt", planted({ "a/b.txt": text }))).taskId).toBe("AZ_2");
});

test.each<[files: Record<string, string>, path: string | undefined, expected: string]>([
  [{}, undefined, "no report-task.txt of a scanner was found in .scannerwork/report-task.txt, "],
  [
    { ".scannerwork/report-task.txt": "", "build/sonar/report-task.txt": "" },
    undefined,
    "must be set to one of the reports found: .scannerwork/report-task.txt, build/sonar/report-task.txt",
  ],
  [{ a: "ceTaskId=../../x\n" }, "a", "contains no ceTaskId"],
  [{ a: "\0\0" }, "a", "contains no ceTaskId"],
  [{}, "gone", "'gone' does not exist"],
  [{}, "/etc/passwd", "is outside the workspace"],
])("in %j the report %s is rejected", async (files, path, expected) => {
  expect((await refusal(readReportTask(path, planted(files)))).message).toContain(expected);
});
