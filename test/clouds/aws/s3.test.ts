import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import { beginsWith, readBucket } from "../../../src/clouds/aws/s3.ts";
import { selectNames } from "../../../src/evidence/name-selection.ts";
import { accessTo, fakeAws } from "./fake-aws.ts";
import { bucketOf, type Content, NEWEST, onDisk } from "./fake-bucket.ts";

const keys = (include: readonly string[] = [], exclude: readonly string[] = []) =>
  selectNames(
    {
      include: ["include", include],
      includeRegex: ["include-regex", []],
      exclude: ["exclude", exclude],
      excludeRegex: ["exclude-regex", []],
    },
    { things: "objects", isMeant: beginsWith },
  );

async function read(content: Content, options: Parameters<typeof bucketOf>[1] = {}, selection = keys()) {
  const server = await fakeAws(bucketOf(content, options));
  const { aws, warnings } = accessTo(server.url);
  return { entry: await readBucket(aws, "site", selection), server, warnings };
}

describe("the content of a bucket", () => {
  test("has the fingerprint of the same files on a disk, whatever the order and the characters of its keys", async () => {
    const content = {
      "a-b": "1",
      "a/c": "2",
      "a/é + 100% & 'x'!*().txt": "3",
      "a.txt": "4",
      "z/日本/file": "5",
      "b/b": "",
    };
    const { entry, server } = await read({ ...content, "a/": "", "empty/": "" }, { size: 3 });
    expect(entry).toEqual({ digests: { site: await onDisk(content) }, creationTimestamp: NEWEST });
    expect(server.asked.filter(({ query }) => query.has("list-type"))).toHaveLength(3);
  });

  test("omits what the root's .kosli_ignore excludes, and does not read it", async () => {
    const content = { ".kosli_ignore": "logs\n**/*.tmp\n", "a/x": "1", "a/y.tmp": "2", "logs/l": "3" };
    const { entry, server } = await read(content);
    expect(entry?.digests).toEqual({ site: await onDisk(content) });
    const paths = server.asked.map(({ path }) => path);
    expect(paths).toContain("/site/a/x");
    expect(paths.filter((path) => /logs|tmp/.test(path))).toEqual([]);
    const nothing = { ".kosli_ignore": "", a: "1" };
    expect((await read(nothing)).entry?.digests).toEqual({ site: await onDisk(nothing) });
  });

  test("with one object is that file, by its base name", async () => {
    const { entry } = await read({ "deep/down/app.jar": "jar", "deep/": "" });
    expect(entry).toEqual({ digests: { "app.jar": hash("sha256", "jar") }, creationTimestamp: NEWEST });
  });

  test("is selected by the beginnings of keys, and only these are listed", async () => {
    const content = { "app/a": "1", "app/b": "2", "application/c": "3", other: "4" };
    const { entry, server } = await read(content, {}, keys(["/app/", "app/a"]));
    expect(entry?.digests).toEqual({ site: await onDisk({ "app/a": "1", "app/b": "2" }) });
    expect(
      server.asked.filter(({ query }) => query.has("list-type")).map(({ query }) => query.get("prefix")),
    ).toEqual(["app/"]);
    const excluded = await read(content, {}, keys([], ["app"]));
    expect(excluded.entry?.digests).toEqual({ other: hash("sha256", "4") });
    const misspelled = await read(content, {}, keys(["/ap/", "other"]));
    expect(misspelled.warnings).toEqual(["include: no object's key begins with '/ap/'"]);
    expect((await read(content, {}, keys(["none"]))).entry).toBeUndefined();
  });

  test("is found in another region, which is asked for the rest", async () => {
    const { entry, server } = await read({ a: "1", b: "2" }, { region: "us-east-1" });
    expect(entry?.digests).toEqual({ site: await onDisk({ a: "1", b: "2" }) });
    expect(server.asked.map(({ region }) => region)).toEqual(["eu-central-1", ...Array(3).fill("us-east-1")]);
  });

  test("in a bucket that is nowhere is asked for twice", async () => {
    const body = "<Error><Code>NoSuchBucket</Code><Message>gone</Message></Error>";
    const server = await fakeAws(() => ({ status: 404, body }));
    await expect(readBucket(accessTo(server.url).aws, "site", keys())).rejects.toThrow(
      /^bucket: .*NoSuchBucket/,
    );
    for (const status of [301, 307]) {
      const moving = await fakeAws(() => ({ status, headers: { "x-amz-bucket-region": "us-east-1" } }));
      await expect(readBucket(accessTo(moving.url).aws, "site", keys())).rejects.toThrow(
        `bucket: Amazon s3 in us-east-1 answered ${status}`,
      );
      expect(moving.asked).toHaveLength(2);
    }
  });

  test.each(["[2001:db8::1]/", "evil/", "a@evil", "site?", ""])(
    "is asked of Amazon only: %j",
    async (name) => {
      const { aws } = accessTo("", { env: { AWS_ENDPOINT_URL: "" } });
      await expect(readBucket(aws, name, keys())).rejects.toThrow("is not the name of a bucket");
    },
  );

  test("is cleaned as a path is, and an object without a file of its own is an error", async () => {
    const clean = await read({ "a//b": "1", "/c///d": "2" });
    expect(clean.entry?.digests).toEqual({ site: await onDisk({ "a/b": "1", "c/d": "2" }) });
    const refused: unknown = await read({
      "../up": "",
      "a/../b": "",
      "c//d": "1",
      "c/d": "2",
      e: "1",
      "e/f": "2",
    }).catch((error: unknown) => error);
    if (!(refused instanceof InputError)) throw refused;
    expect(refused.problems.map(({ problem }) => problem)).toEqual([
      "'../up' contains '..' between its slashes",
      "'a/../b' contains '..' between its slashes",
      "'c//d' and 'c/d' name the same file",
      "'e' and 'e/f' need a file and a directory of one name",
    ]);
  });

  test("with a key that no address can contain is an error, unless the key is left out", async () => {
    const content = { "a/./b": "1", "c/d": "2", e: "3" };
    await expect(read(content)).rejects.toThrow("'a/./b' contains '.' between its slashes");
    const ignoring = { ".kosli_ignore": "a/b\n", ...content };
    expect((await read(ignoring)).entry?.digests).toEqual({
      site: await onDisk({ ".kosli_ignore": "a/b\n", "a/b": "1", "c/d": "2", e: "3" }),
    });
  });

  test("that does not exist is an error that names it", async () => {
    const body = "<Error><Code>NoSuchBucket</Code><Message>No bucket.</Message></Error>";
    const server = await fakeAws(() => ({ status: 404, body }));
    await expect(readBucket(accessTo(server.url).aws, "site", keys())).rejects.toMatchObject({
      message: expect.stringMatching(/^bucket: .* 404 NoSuchBucket/),
      advice: "Check bucket.",
    });
  });

  test("with a .kosli_ignore of more than a million bytes is an error", async () => {
    const content = { ".kosli_ignore": "x".repeat(1_000_001), a: "1" };
    await expect(read(content)).rejects.toThrow("bucket: '.kosli_ignore' is larger than 1000000 bytes");
  });

  test("that changes while it is read is an error", async () => {
    const content: Record<string, string> = { a: "1", b: "2" };
    const inner = bucketOf(content);
    const server = await fakeAws((request, count) => {
      if (count === 2) Object.assign(content, { a: "changed", b: "changed" });
      return inner(request);
    });
    await expect(readBucket(accessTo(server.url).aws, "site", keys())).rejects.toThrow(
      /^bucket: '[ab]' changed while the bucket was read: Amazon s3 answered 412 PreconditionFailed$/,
    );
  });

  test.each([
    [403, "InvalidObjectState", "bucket", "Check 'a/x', or leave it out with exclude."],
    [400, "InvalidRequest", "bucket", "Check 'a/x', or leave it out with exclude."],
    [403, "AccessDenied", "AWS_ACCESS_KEY_ID", "Allow s3:GetObject for 'a/x' in the policy of this login."],
    [
      ...[400, "ExpiredToken", "AWS_ACCESS_KEY_ID"],
      "Log in to AWS again in this job: the credentials are invalid or have expired.",
    ],
  ] as [number, string, string, string][])(
    "with an object that is refused by %d %s names it, and the remedy",
    async (status, code, input, advice) => {
      const inner = bucketOf({ "a/x": "1" });
      const body = `<Error><Code>${code}</Code><Message>The reason</Message></Error>`;
      const server = await fakeAws((request) =>
        request.query.has("list-type") ? inner(request) : { status, body },
      );
      await expect(readBucket(accessTo(server.url).aws, "site", keys())).rejects.toMatchObject({
        message: `${input}: Amazon s3 in eu-central-1 answered ${status} ${code}: The reason`,
        advice,
      });
    },
  );

  test("whose keys are not encoded is an error", async () => {
    const server = await fakeAws(() => ({
      body: "<L><IsTruncated>false</IsTruncated><Key>%E0%A4%A</Key><ETag>1</ETag><LastModified>2026-01-02T03:04:05Z</LastModified></L>",
    }));
    await expect(readBucket(accessTo(server.url).aws, "site", keys())).rejects.toThrow(
      "Amazon s3 listed a key that is not encoded: '%E0%A4%A'",
    );
  });

  test("of which a part arrives is asked for again from its beginning", async () => {
    const content = { only: "whole" };
    const inner = bucketOf(content);
    const server = await fakeAws((request, count) => {
      const answer = inner(request);
      return count === 2 ? { ...answer, headers: { "content-length": "5" }, body: "wh" } : answer;
    });
    const reading = readBucket(accessTo(server.url).aws, "site", keys());
    expect((await reading)?.digests).toEqual({ only: hash("sha256", "whole") });
  });

  test("is read 32 objects at a time, and never more", async () => {
    const content = Object.fromEntries(
      Array.from({ length: 320 }, (_, index) => [`d${index % 7}/f${index}`, String(index)]),
    );
    const answer = bucketOf(content);
    let waiting: (() => void)[] = [];
    let most = 0;
    // An object is answered once 32 are asked for, so fewer at a time would wait forever.
    const { url } = await fakeAws(async (request) => {
      if (!request.query.has("list-type")) {
        const full = new Promise<void>((resolve) => waiting.push(resolve));
        most = Math.max(most, waiting.length);
        if (waiting.length === 32) {
          for (const go of waiting) go();
          waiting = [];
        }
        await full;
      }
      return answer(request);
    });
    const entry = await readBucket(accessTo(url).aws, "site", keys());
    expect(entry?.digests).toEqual({ site: await onDisk(content) });
    expect(most).toBe(32);
  });
});
