import { expect, it } from "vitest";
import { csvLine } from "../../../src/service/environments/events/csv.ts";

it.each([
  [["plain", 1, true, null], "plain,1,true,\r\n"],
  [['say "hi"', "a,b", "two\nlines"], '"say ""hi""","a,b","two\nlines"\r\n'],
  [["=SUM(A1)", "@scope/pkg", "-1", -1], "'=SUM(A1),'@scope/pkg,'-1,-1\r\n"],
])("%j is a line that any reader of CSV takes apart again, and no spreadsheet runs", (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
