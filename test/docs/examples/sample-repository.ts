import { createHash } from "node:crypto";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REPORTS = fileURLToPath(new URL("../../workflows/sample/reports", import.meta.url));

/** The reader's own project: its source decides what it builds, and whether its tests pass. */
export interface SampleRepository {
  readonly commit: string;
  readonly testsPass: boolean;
  /** Accompanying files of the example. */
  readonly files: Readonly<Record<string, string>>;
}

/** `make` builds the artifact, and runs tests and scans: their reports exist even on failure. */
const MAKEFILE = `.PHONY: test reports
app.tgz: source
	cp source app.tgz
test reports:
	mkdir -p reports
	cp results/* reports
	sh results/verdict
`;

const FAILING = `<testsuite name="greeting" tests="1" failures="1">
  <testcase name="greets by name" classname="greeting"><failure message="no greeting"/></testcase>
</testsuite>
`;

/** Checks a commit of the project out into a folder. */
export async function checkOut(
  { commit, testsPass, files }: SampleRepository,
  folder: string,
): Promise<void> {
  await cp(REPORTS, join(folder, "results"), { recursive: true });
  if (!testsPass) await writeFile(join(folder, "results", "junit.xml"), FAILING);
  const own = {
    ...{ Makefile: MAKEFILE, source: commit, "results/verdict": `exit ${testsPass ? 0 : 1}\n` },
    ...files,
  };
  for (const [path, text] of Object.entries(own)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The sha256 of what a commit builds. */
export function fingerprintOf(commit: string): string {
  return createHash("sha256").update(commit).digest("hex");
}
