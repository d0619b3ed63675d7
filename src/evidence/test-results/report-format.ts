import { decoderFor } from "../text-encoding.ts";
import type { ReportReader } from "./test-counter.ts";

/** The first element, after a declaration, comments and instructions. */
const ROOT = /^\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*)*<([\w.:-]+)/;
const GO_EVENT = /^\{(?:"(?:Time|ImportPath)":"[^"\n]*",)?"Action":"/m;
const TAP_LINE = /^(?:TAP version \d|1\.\.\d|(?:not )?ok\b|Bail out!)/m;

/**
 * The reader of a report by how it begins; undefined for JUnit XML and for what is none of these. Each is loaded only
 * when a file is of its format.
 *
 * @throws ReportFault when the bytes are not text
 */
export async function otherReader(start: Uint8Array): Promise<ReportReader | undefined> {
  const text = decoderFor(start).decode(start);
  const root = ROOT.exec(text)?.[1];
  if (root !== undefined) {
    switch (root.slice(root.indexOf(":") + 1)) {
      case "TestRun":
        return (await import("./trx.ts")).readTrx;
      case "test-run":
      case "test-results":
        return (await import("./nunit.ts")).readNunit;
      case "assemblies":
      case "assembly":
        return (await import("./xunit-net.ts")).readXunitNet;
      default:
        return undefined;
    }
  }
  if (GO_EVENT.test(text)) return (await import("./go-test.ts")).readGoTest;
  if (/^\s*[{[]/.test(text)) return (await import("./json-report.ts")).readJsonReport;
  return TAP_LINE.test(text) ? (await import("./tap.ts")).readTap : undefined;
}
