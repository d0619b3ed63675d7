import { ReportFault } from "../report-fault.ts";
import { MAX_TEXT_CHARACTERS } from "./tally.ts";
import { linesIn, type ReportReader, TestCounter } from "./test-counter.ts";

const POINT = /^( *)(not )?ok\b(?:[ \t]+\d+)?(?:[ \t]*-)?[ \t]*(.*)$/;
const DIRECTIVE = /(?:^|[ \t])#[ \t]*(?:skip(?:ped)?|todo)\b/i;

interface Point {
  readonly depth: number;
  readonly ok: boolean;
  readonly name: string;
  readonly isLeftOut: boolean;
  /** The YAML block after it. */
  block: string;
  /** The first comment after it. */
  comment: string;
}

/** Test Anything Protocol, versions 12 to 14. A subtest counts if Node's output marks it as a test. */
export const readTap: ReportReader = async (parts, report, tally) => {
  const reader = new Tap(new TestCounter(report, tally));
  for await (const line of linesIn(parts)) reader.read(line);
  reader.end();
};

class Tap {
  readonly #counter: TestCounter;
  #point: Point | undefined;
  #isInBlock = false;
  #planned: number | undefined;
  #points = 0;

  constructor(counter: TestCounter) {
    this.#counter = counter;
  }

  read(line: string): void {
    const [found, indent = "", not, rest = ""] = POINT.exec(line) ?? [];
    if (this.#isInBlock) {
      this.#block(line);
    } else if (found !== undefined) {
      this.#endPoint();
      const [name = ""] = rest.split(/(?<!\\)#/);
      this.#point = {
        depth: indent.length,
        ok: not === undefined,
        name: name.trim(),
        isLeftOut: DIRECTIVE.test(rest),
        block: "",
        comment: "",
      };
      if (indent === "") this.#points += 1;
    } else if (this.#point !== undefined && /^ *---/.test(line)) {
      this.#isInBlock = true;
    } else if (/^TAP version \d+/.test(line)) {
      if (this.#points > 0) this.#endDocument();
    } else if (/^Bail out!/.test(line)) {
      const message = line.slice("Bail out!".length).trim();
      this.#counter.add({ suite: "", name: "Bail out!", outcome: "error", message });
      this.#planned = this.#points;
    } else if (/^ *# (?!Subtest)/.test(line)) {
      if (this.#point !== undefined) this.#point.comment ||= line.replace(/^ *#\s*/, "");
    } else {
      const [, planned] = /^1\.\.(\d{1,9})\b/.exec(line) ?? [];
      if (planned !== undefined) this.#planned ??= Number(planned);
    }
  }

  end(): void {
    if (this.#isInBlock) throw new ReportFault("is incomplete: it ends in a YAML block");
    this.#endDocument();
    this.#counter.end();
  }

  #block(line: string): void {
    if (/^ *\.\.\.\s*$/.test(line)) this.#isInBlock = false;
    else if (this.#point !== undefined && this.#point.block.length < MAX_TEXT_CHARACTERS)
      this.#point.block += `${line}\n`;
  }

  #endDocument(): void {
    this.#endPoint();
    if (this.#planned === undefined) throw new ReportFault("is incomplete: it has no plan, such as 1..4");
    if (this.#planned !== this.#points)
      throw new ReportFault(`is incomplete: it plans ${this.#planned} tests but has ${this.#points}`);
    this.#planned = undefined;
    this.#points = 0;
  }

  #endPoint(): void {
    const point = this.#point;
    this.#point = undefined;
    if (point === undefined) return;
    const { ok, name, block, comment, isLeftOut } = point;
    const type = fieldOf(block, "type");
    // A suite fails because of its tests, which are counted, unless it has another failure type.
    const isSuite = type === "suite" && (ok || fieldOf(block, "failureType") === "subtestsFailed");
    if (isSuite || (point.depth > 0 && type !== "test" && type !== "suite")) return;
    const milliseconds = Number(fieldOf(block, "duration_ms"));
    this.#counter.add({
      suite: "",
      name,
      outcome: isLeftOut ? "skipped" : ok ? "passed" : type === "suite" ? "error" : "failure",
      seconds: milliseconds > 0 ? milliseconds / 1000 : 0,
      message: fieldOf(block, "error") || fieldOf(block, "message") || comment,
      text: `${fieldOf(block, "location")}\n${block}`,
    });
  }
}

function fieldOf(block: string, name: string): string {
  const [, value = ""] = new RegExp(`^ *${name}: *(.*)$`, "m").exec(block) ?? [];
  return /^[|>][-+]?$/.test(value) ? "" : value.replace(/^(['"])(.*)\1$/, "$2");
}
