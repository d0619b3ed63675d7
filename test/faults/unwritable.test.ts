import { expect, test } from "vitest";
import { contentService, each, requestsOf, runSample, SAMPLES } from "./samples.ts";
import { annotations } from "./step.ts";

/** The actions that hand a whole answer over as a file. */
const WITH_RESULT_FILE = ["assert-artifact", "root", "running-commit"];

test("a full disk and a temporary folder that is gone undo nothing that any action has done", () =>
  each(SAMPLES, async (sample) => {
    const server = await contentService(sample);
    const step = await runSample(sample, {
      baseUrl: server.url,
      env: { GITHUB_OUTPUT: "/dev/full", GITHUB_STEP_SUMMARY: "/dev/full", RUNNER_TEMP: "/nowhere" },
    });
    expect(step).toMatchObject({ status: 0, signal: null, stderr: "" });
    expect(annotations(step.stdout)).toEqual([]);
    expect(server.received).toHaveLength(requestsOf(sample));
    const full = "/dev/full cannot be written: no space is left on the disk (ENOSPC).";
    const lost =
      /^\/nowhere\/[\w-]+\.json cannot be written: its folder does not exist \(ENOENT\)\. So the output/;
    expect(annotations(step.stdout, "warning")).toEqual([
      ...(WITH_RESULT_FILE.includes(sample.name) ? [expect.stringMatching(lost)] : []),
      `${full} So the run's page has no summary of it.`,
      `${full} So the outputs are not set.`,
    ]);
  }));
