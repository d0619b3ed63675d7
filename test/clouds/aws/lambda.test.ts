import { describe, expect, test } from "vitest";
import { readLambda } from "../../../src/clouds/aws/lambda.ts";
import { accessTo, type FakeAnswer, type FakeRequest, fakeAws, names } from "./fake-aws.ts";

const HEX = "a".repeat(64);
const zip = (name: string) => ({
  FunctionName: name,
  CodeSha256: Buffer.from(HEX, "hex").toString("base64"),
  LastModified: "2026-01-02T03:04:05.000+0000",
});

/** Answers with pages of functions. */
function pagesOf(functions: readonly object[]) {
  return ({ query }: FakeRequest): FakeAnswer => {
    const size = Number(query.get("MaxItems"));
    const from = Number(query.get("Marker") ?? 0);
    const NextMarker = from + size < functions.length ? String(from + size) : null;
    return { body: { Functions: functions.slice(from, from + size), NextMarker } };
  };
}

describe("functions of Lambda", () => {
  test("are reported by name, sorted, with the sha256 of a zip or an image", async () => {
    const server = await fakeAws(
      pagesOf([
        { ...zip("web"), PackageType: "Zip" },
        {
          FunctionName: "img",
          PackageType: "Image",
          CodeSha256: HEX,
          LastModified: "2026-01-02T03:04:05.119283000Z",
        },
        zip("api"),
      ]),
    );
    const { aws, masked } = accessTo(server.url);
    const creationTimestamp = Date.parse("2026-01-02T03:04:05Z") / 1000;
    expect(await readLambda(aws, names())).toEqual(
      ["api", "img", "web"].map((name) => ({ digests: { [name]: HEX }, creationTimestamp })),
    );
    expect(masked).toEqual(["AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCY"]);
  });

  test("1,000 of them take 20 requests", async () => {
    const server = await fakeAws(pagesOf(Array.from({ length: 1000 }, (_, index) => zip(`f${index}`))));
    const { aws } = accessTo(server.url);
    expect(await readLambda(aws, names())).toHaveLength(1000);
    expect(server.asked).toHaveLength(20);
    expect(server.asked[1]?.path).toBe("/2015-03-31/functions/?MaxItems=50&Marker=50");
  });

  test("are selected by name and expression", async () => {
    const server = await fakeAws(pagesOf(["shop-a", "shop-b", "ci"].map(zip)));
    const { aws, warnings } = accessTo(server.url);
    const reported = async (selection: Parameters<typeof names>[0]) =>
      (await readLambda(aws, names(selection))).flatMap(({ digests }) => Object.keys(digests));
    expect(await reported({ include: ["ci"], includeRegex: ["-b$"] })).toEqual(["ci", "shop-b"]);
    expect(await reported({ exclude: ["ci"] })).toEqual(["shop-a", "shop-b"]);
    expect(warnings).toEqual([]);
    await reported({ include: ["ci", "cd"], includeRegex: ["^none"] });
    expect(warnings).toEqual(["include: no function is named 'cd'"]);
  });

  test("are left out with one warning if their digest is unknown", async () => {
    const functions = Array.from({ length: 12 }, (_, index) => ({ ...zip(`f${index}`), CodeSha256: "?" }));
    const server = await fakeAws(pagesOf([...functions, zip("known")]));
    const { aws, warnings } = accessTo(server.url);
    expect(await readLambda(aws, names())).toHaveLength(1);
    expect(warnings).toEqual([
      "12 functions not reported, because the digest is unknown: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, and 2 more",
    ]);
  });

  test("in a circular list, or in none, are an error", async () => {
    const circular = await fakeAws(() => ({ body: { Functions: [], NextMarker: "again" } }));
    await expect(readLambda(accessTo(circular.url).aws, names())).rejects.toThrow(/earlier page/);
    expect(circular.asked).toHaveLength(2);
    const none = await fakeAws(() => ({ body: "<html>" }));
    await expect(readLambda(accessTo(none.url).aws, names())).rejects.toMatchObject({
      message: "Amazon lambda returned no list of functions",
      advice: "Nothing was reported. Check whether a proxy answers in place of the cloud.",
    });
  });
});
