import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { filesIn } from "../../../src/cli/operator/package-archive.ts";

const BLOCK = 512;

interface Header {
  readonly name: string;
  readonly size?: string;
  readonly type?: string;
  readonly magic?: string;
  readonly prefix?: string;
}

function header({ name, size = "0", type = "0", magic = "ustar\u000000", prefix = "" }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name);
  block.write(size, 124, 12);
  block.write(" ".repeat(8), 148);
  block.write(type, 156);
  block.write(magic, 257);
  block.write(prefix, 345);
  block.write(block.reduce((sum, byte) => sum + byte, 0).toString(8), 148);
  block.writeUInt8(0, 154);
  return block;
}

function padded(text: string): Buffer {
  return Buffer.concat([
    Buffer.from(text),
    Buffer.alloc((BLOCK - (Buffer.byteLength(text) % BLOCK)) % BLOCK),
  ]);
}

const entry = (name: string, content: string, more: Partial<Header> = {}) =>
  Buffer.concat([header({ name, size: Buffer.byteLength(content).toString(8), ...more }), padded(content)]);

const read = (...entries: Buffer[]) =>
  [...filesIn(gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)])))].map(([name, content]) => [
    name,
    Buffer.from(content).toString(),
  ]);

const paxRecord = (field: string) => {
  const rest = ` ${field}\n`;
  const length = Buffer.byteLength(rest) + 2;
  return `${length}${rest}`;
};

test("files have the names that tar gives them", () => {
  const long = entry("././@LongLink", "a/long\0", { type: "L" });
  const pax = entry("pax", `${paxRecord("path=b.txt")}${paxRecord("comment=x\n20 path=forged.txt")}`, {
    type: "x",
  });
  expect(
    read(
      header({ name: "folder/", type: "5" }),
      ...[entry("./a.txt", "1"), long, entry("short", "2"), pax, entry("c", "3")],
      entry("d", "4", { prefix: "p" }),
      entry("e", "5", { prefix: "p", magic: "ustar  " }),
    ),
  ).toEqual([
    ["a.txt", "1"],
    ["a/long", "2"],
    ["b.txt", "3"],
    ["p/d", "4"],
    ["e", "5"],
  ]);
});

test.each<[string, () => Buffer[]]>([
  ["a length beyond the record", () => [entry("pax", "99 path=a\n", { type: "x" }), entry("b", "")]],
  ["a size in a long name", () => [entry("pax", paxRecord("size=1"), { type: "x" }), entry("b", "1")]],
  ["a name with a zero byte", () => [entry("pax", paxRecord("path=a\0b"), { type: "x" }), entry("b", "")]],
  ["a name for all", () => [entry("pax", paxRecord("path=a"), { type: "g" }), entry("b", "")]],
  ["a folder with content", () => [entry("a/", "hidden", { type: "5" })]],
  ["a negative size", () => [header({ name: "a", type: "5", size: "-0000001000" })]],
  ["a size that is no number", () => [header({ name: "a", size: "12zz" })]],
  ["a link", () => [header({ name: "a", type: "2" })]],
  ["a name that is there twice", () => [entry("a", ""), entry("./a", "")]],
  ["a dot in a path", () => [entry("a/./b", "")]],
])("%s is refused", (_, entries) => {
  expect(() => read(...entries(), entry("end", ""))).toThrow();
});
