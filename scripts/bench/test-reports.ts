import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalService, stepVariables } from "./local-service.ts";
import { median, timed } from "./measure.ts";
import type { Measurements } from "./rows.ts";

const REPORTS = 5_000;
const MODULES = 50;
const RUNS = 5;

/** Duration of a step that reads and attaches the reports of a large build. */
export async function testReports(root: string): Promise<Measurements<"test-reports">> {
  await using service = await startLocalService();
  const folder = await mkdtemp(join(tmpdir(), "bench-reports-"));
  try {
    for (let index = 0; index < REPORTS; index++) await writeReport(folder, index);
    const program = [process.execPath, join(root, "dist", "attest", "index.js")];
    const inputs = { flow: "web", name: "unit-test", kind: "test", "test-results": "**/TEST-*.xml" };
    const variables = { ...stepVariables(service, inputs), GITHUB_WORKSPACE: folder };
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await timed(program, variables));
    return { attach: { value: median(times) / 1000 } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A Surefire report for one class, of about 3 kB. */
async function writeReport(folder: string, index: number): Promise<void> {
  const className = `com.acme.shop.module${index % MODULES}.Class${index}Test`;
  const properties = Array.from(
    { length: 20 },
    (_, each) =>
      `    <property name="java.property.${each}" value="/usr/lib/jvm/temurin-21-jdk-amd64/${each}"/>`,
  );
  const tests = Array.from(
    { length: 10 },
    (_, each) => `  <testcase name="tests${each}" classname="${className}" time="0.0${each}1"/>`,
  );
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite version="3.0.2" name="${className}" time="0.451" tests="10" errors="0" skipped="0" failures="0">`,
    "  <properties>",
    ...properties,
    "  </properties>",
    ...tests,
    "</testsuite>",
  ];
  const reports = join(folder, `module${index % MODULES}`, "target", "surefire-reports");
  await mkdir(reports, { recursive: true });
  await writeFile(join(reports, `TEST-${className}.xml`), `${lines.join("\n")}\n`);
}
