import { expect, it } from "vitest";
import { csvLine } from "../../../src/service/kernel/csv-text.ts";
import { table } from "../../../src/service/pages/parts/table.ts";

it.each([
  [["plain", 1, true, null], "plain,1,true,\r\n"],
  [['say "hi"', "a,b", "two\nlines"], '"say ""hi""","a,b","two\nlines"\r\n'],
  [
    ["\n=1", " =1", "\u00a0=1", "\u200b=1", "＝1", "＋1", "－1", "＠1"],
    "\"'\n=1\",' =1,'\u00a0=1,'\u200b=1,'＝1,'＋1,'－1,'＠1\r\n",
  ],
  [["a=1", " a", "1-2"], "a=1, a,1-2\r\n"],
  [["=SUM(A1)", "@scope/pkg", "-1", -1], "'=SUM(A1),'@scope/pkg,'-1,-1\r\n"],
])("%j is a line that every CSV reader parses and no spreadsheet executes", (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

it("a table of a page protects the same cells", () => {
  const rows = ["\n=1", " =1", "＝1", "=1", "plain"];
  const columns = { Text: (row: string) => row };
  const shape = { id: "t", caption: "t", columns, rows, empty: "" };
  expect(table({ here: () => "" }, shape).csv()).toBe(
    "Text\r\n\"'\n=1\"\r\n' =1\r\n'＝1\r\n'=1\r\nplain\r\n",
  );
});
