import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { setOutputs } from "../../../src/github/step/file-commands.ts";
import { readOutputs } from "../outputs-file.ts";
import { tempFolder } from "../runners.ts";

function outputFile(): string {
  const path = join(tempFolder(), "output");
  writeFileSync(path, "");
  vi.stubEnv("GITHUB_OUTPUT", path);
  onTestFinished(() => void vi.unstubAllEnvs());
  return path;
}

test("the runner reads the outputs unchanged, whatever they contain", () => {
  const path = outputFile();
  const value = fc.string({ unit: fc.constantFrom(..."ab=<>\n \"'é😀{}EOF_"), maxLength: 20 });
  fc.assert(
    fc.property(value, value, (first, second) => {
      writeFileSync(path, "");
      setOutputs({ status: first, "html-url": second, empty: "" }, process.env);
      expect(readOutputs(readFileSync(path, "utf8"))).toEqual({
        status: first,
        "html-url": second,
        empty: "",
      });
    }),
    { numRuns: 100 },
  );
});

test("a value that looks like the end of an output cannot set another output", () => {
  const path = outputFile();
  setOutputs(
    { message: "x\nghadelimiter\nEOF\ncompliant=true\ncompliant<<EOF\ntrue\nEOF", compliant: "false" },
    process.env,
  );
  expect(readOutputs(readFileSync(path, "utf8"))["compliant"]).toBe("false");
});

test("outputs are appended to existing ones", () => {
  const path = outputFile();
  writeFileSync(path, "earlier=1\n");
  setOutputs({ a: "2" }, process.env);
  expect(readOutputs(readFileSync(path, "utf8"))).toEqual({ earlier: "1", a: "2" });
});

test("outside of a runner no outputs are written", () => {
  expect(() => setOutputs({ a: "1" }, {})).not.toThrow();
});
