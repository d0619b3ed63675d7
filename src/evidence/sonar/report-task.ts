import { resolve } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { readTextFile } from "../file-to-send.ts";
import { exists } from "../unusable-path.ts";

const INPUT = "sonar-report";

/** Paths used by the command line, Maven, Gradle and .NET scanners. */
const USUAL_PLACES = [
  ".scannerwork/report-task.txt",
  "target/sonar/report-task.txt",
  "build/sonar/report-task.txt",
  ".sonarqube/out/.sonar/report-task.txt",
];

export interface ReportTask {
  readonly path: string;
  readonly taskId: string;
}

/**
 * @param given path of `report-task.txt`; by default the scanners' usual paths
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
  throw refused(`'${path}' must be the report-task.txt that a scanner writes, but contains no ceTaskId`);
}

async function usualPlace(workspace: string): Promise<string> {
  const found: string[] = [];
  for (const place of USUAL_PLACES) if (await exists(resolve(workspace, place))) found.push(place);
  const [place, another] = found;
  if (another !== undefined) throw refused(`must be set to one of the reports found: ${found.join(", ")}`);
  if (place !== undefined) return place;
  throw refused(
    `no report-task.txt of a scanner was found in ${USUAL_PLACES.join(", ")}`,
    "Run the scanner in an earlier step of this job, or set the path of its report-task.txt.",
  );
}

function refused(problem: string, advice = ""): InputError {
  return new InputError([{ input: INPUT, problem }], { advice });
}
