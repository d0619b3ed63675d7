import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { readTextFile } from "../file-to-send.ts";
import { isMissing } from "../unusable-path.ts";

const INPUT = "sonar-report";

/** Where the scanners leave it: the command line's, Maven's, Gradle's, .NET's. */
const USUAL_PLACES = [
  ".scannerwork/report-task.txt",
  "target/sonar/report-task.txt",
  "build/sonar/report-task.txt",
  ".sonarqube/out/.sonar/report-task.txt",
];

/** What a scanner says of the analysis that it handed in. */
export interface ReportTask {
  /** The file, relative to the workspace. */
  readonly path: string;
  readonly taskId: string;
}

/**
 * Reads the `report-task.txt` of a scanner.
 *
 * @param given its path; without one it is looked for where scanners leave it
 * @throws {InputError} (`sonar-report`)
 */
export async function readReportTask(given: string | undefined, workspace: string): Promise<ReportTask> {
  const path = given ?? (await usualPlace(workspace));
  const content = await readTextFile(path, { input: INPUT, workspace });
  const lines = content.split(/\r?\n/).map((line) => /^(\w+)=(.*)$/.exec(line.trim()));
  const facts = new Map(lines.flatMap((match) => (match ? [[match[1], match[2]?.trim()]] : [])));
  const address = URL.parse(facts.get("ceTaskUrl") ?? "");
  const taskId = facts.get("ceTaskId") || address?.searchParams.get("id") || "";
  if (/^[\w-]+$/.test(taskId)) return { path, taskId };
  throw refused(`'${path}' names no task (ceTaskId): it is not the report-task.txt of a scanner`);
}

async function usualPlace(workspace: string): Promise<string> {
  const found: string[] = [];
  for (const place of USUAL_PLACES) if (await isThere(resolve(workspace, place))) found.push(place);
  const [place, another] = found;
  if (another !== undefined)
    throw refused(`there are several: ${found.join(", ")}. Name the one that is meant`);
  if (place !== undefined) return place;
  throw refused(
    `no scanner has left its report-task.txt: ${USUAL_PLACES.join(", ")} are not there`,
    "Run the scanner in an earlier step of this job, or name the file that it writes.",
  );
}

/** False only when nothing is there: any other fault is told when it is read. */
async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

function refused(problem: string, advice = ""): InputError {
  return new InputError([{ input: INPUT, problem }], { advice });
}
