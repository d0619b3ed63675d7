import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openSubmission, readSpool } from "../../src/spool/read.ts";
import { temporaryFolder } from "./fixtures.ts";

const PROGRAM = join(import.meta.dirname, "spooling-program.ts");

test.each([
  [0, 0],
  [2, 0],
  [2, 1],
])(
  "a process killed in the %s. submission's file %s leaves the previous ones complete and no partial one",
  async (count, file) => {
    await using folder = await temporaryFolder();
    const child = spawn(process.execPath, [PROGRAM, folder.path, String(count), String(file)]);
    const printed = (await text(child.stdout)).split("\n").filter(Boolean);
    expect(printed).toHaveLength(count);
    expect(await readdir(folder.path)).toHaveLength(count + 1);
    const spooled = await readSpool(folder.path);
    expect(spooled.map(({ name }) => name)).toEqual(printed);
    for (const one of spooled) expect((await openSubmission(one)).damage).toBeUndefined();
  },
);
