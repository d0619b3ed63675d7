import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { httpServer, json, type Received, tcpServer } from "../api/local-server.ts";
import { type PartRead, readParts } from "../api/multipart-reader.ts";
import { expectFailure, expectSuccess, runSample, sampleOf, startSample } from "./samples.ts";
import { annotations, type EndedStep, type StepCall } from "./step.ts";

const attest = sampleOf("attest");
const LIMIT = 10 * 1024 * 1024;
const NOBODY = 65534;

interface Attached {
  readonly step: EndedStep;
  readonly requests: readonly Received[];
  /** The parts of the one request, if there was one. */
  readonly parts: readonly PartRead[];
}

/** Runs attest with these attachments, one a line. */
async function attach(attachments: readonly string[], call: Partial<StepCall> = {}): Promise<Attached> {
  const server = await httpServer((response) => json(response, 201, "OK"));
  const inputs = { attachments: attachments.join("\n"), ...call.inputs };
  const step = await runSample(attest, { ...call, baseUrl: server.url, inputs });
  const [request] = server.received;
  const parts = request ? await readParts(request.headers["content-type"] ?? "", request.body) : [];
  return { step, requests: server.received, parts };
}

const filesOf = ({ parts }: Attached) => parts.filter(({ fileName }) => fileName !== undefined);
const namesOf = (attached: Attached) => filesOf(attached).map(({ fileName }) => fileName);
const textsOf = (attached: Attached) => filesOf(attached).map(({ bytes }) => bytes.toString());

/** Nothing was sent, and one annotation says why. */
function expectRefused({ step, requests }: Attached, ...said: (string | RegExp)[]): void {
  expectFailure(attest, step, ...said);
  expect(requests).toEqual([]);
}

type Prepare = NonNullable<StepCall["prepare"]>;
const fifo: Prepare = (at) => void execFileSync("mkfifo", [join(at, "pipe")]);
/** Whoever made it is gone: one that ends in peace takes its socket along. */
const socket: Prepare = (at) => {
  const program =
    'require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
  spawnSync(process.execPath, ["-e", program, join(at, "sock")]);
};
const holes = (name: string, size: number | string): Prepare => {
  return (at) => void execFileSync("truncate", ["-s", String(size), join(at, name)]);
};

describe("what cannot be attached is refused before any request:", () => {
  const refusals: [
    title: string,
    attachments: string[],
    said: (string | RegExp)[],
    call?: Partial<StepCall>,
  ][] = [
    ["a path that is not there", ["absent.xml"], ["attachments: 'absent.xml' does not exist"]],
    ["a glob that finds nothing", ["reports/*.xml"], ["attachments: no file matches 'reports/*.xml'"]],
    [
      "a directory",
      ["reports"],
      ["is a directory: use a glob such as 'reports/**/*', or set archive-attachments: true"],
      { files: { "reports/a.xml": "" } },
    ],
    ["a FIFO", ["pipe"], ["'pipe' is a FIFO, which cannot be sent"], { prepare: fifo }],
    ["a FIFO that a glob finds", ["p*"], ["'pipe' is a FIFO"], { prepare: fifo }],
    ["a socket", ["sock"], ["'sock' is a socket, which cannot be sent"], { prepare: socket }],
    [
      "a device",
      ["/dev/zero"],
      ["'/dev/zero' is a character device, which cannot be sent"],
      { inputs: { "allow-outside-workspace": "true" } },
    ],
    [
      "a file of /proc",
      ["/proc/self/status"],
      ["gives no size, so it cannot be sent"],
      { inputs: { "allow-outside-workspace": "true" } },
    ],
    [
      "a link out of the workspace",
      ["link.xml"],
      [/'link.xml' is outside the workspace: '\/etc\/passwd' is not in '.*workspace'/],
      { prepare: (at) => symlinkSync("/etc/passwd", join(at, "link.xml")) },
    ],
    [
      "what a linked folder outside holds",
      ["dirlink/*"],
      [/'dirlink\/.*' is outside the workspace: '\/etc\//],
      { prepare: (at) => symlinkSync("/etc", join(at, "dirlink")) },
    ],
    [
      "a link into .git",
      ["c.xml"],
      ["'c.xml' is a link into .git"],
      { files: { ".git/config": "token" }, prepare: (at) => symlinkSync(".git/config", join(at, "c.xml")) },
    ],
    ["a path above the workspace", ["../event.json"], [/'.*event.json' is outside the workspace/]],
    ["an absolute path outside", ["/etc/passwd"], ["'/etc/passwd' is outside the workspace"]],
    [
      "a link to itself",
      ["loop"],
      ["'loop' is a link that leads back to itself"],
      { prepare: (at) => symlinkSync("loop", join(at, "loop")) },
    ],
    [
      "files over 10 MiB, all of them named",
      ["a.bin", "b.bin"],
      ["attachment 'a.bin' is 10.1 MB; the limit is 10 MB", "attachment 'b.bin' is 11.2 MB"],
      {
        prepare: (at) => {
          holes("a.bin", LIMIT + 1)(at);
          holes("b.bin", 11_700_000)(at);
        },
      },
    ],
    [
      "a file of holes whose size has more than 32 bits",
      ["big"],
      ["attachment 'big' is 1048576.0 MB; the limit is 10 MB"],
      { prepare: holes("big", "1T") },
    ],
    [
      "a file of just over 4 GiB, whose size in 32 bits is small",
      ["big"],
      ["attachment 'big' is 4096.1 MB"],
      { prepare: holes("big", 2 ** 32 + 5) },
    ],
    [
      "a twenty-first file",
      ["**/*"],
      ["there are 21 files; at most 20 can be attached"],
      { files: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, "x"])) },
    ],
    [
      "braces that stand for millions of patterns",
      [`${"{a,b}".repeat(30)}`],
      ["stands for more than 1000 patterns"],
    ],
    ["a range in braces of millions", ["{1..100000000}.xml"], ["stands for more than 1000 patterns"]],
    [
      "the same where files are taken back, which would then be sent",
      ["*", `!${"{r,s}".repeat(30)}`],
      ["stands for more than 1000 patterns"],
    ],
    [
      "a name that is not UTF-8, even when none need be found",
      ["*.xml"],
      ["has a name that is not UTF-8, so it cannot be read: rename it"],
      {
        inputs: { "if-no-files-found": "ignore" },
        prepare: (at) =>
          writeFileSync(
            Buffer.concat([Buffer.from(join(at, "caf")), Buffer.from([0xe9]), Buffer.from(".xml")]),
            "x",
          ),
      },
    ],
    [
      "a file that may not be read",
      ["private.xml"],
      ["'private.xml' cannot be read: permission denied"],
      { files: { "private.xml": "x" }, user: NOBODY, prepare: (at) => chmodSync(join(at, "private.xml"), 0) },
    ],
    [
      "a glob through a folder that may not be looked into",
      ["**/*.xml"],
      ["'reports/private' cannot be looked into for '**/*.xml': take it back with '!reports/private'"],
      {
        files: { "reports/private/b.xml": "x", "reports/a.xml": "x" },
        user: NOBODY,
        prepare: (at) => chmodSync(join(at, "reports/private"), 0),
      },
    ],
    [
      "what is over the limit after packing",
      ["noise.bin"],
      [/evidence.tgz, packed from 1 file, is 10\.\d MB; the limit is 10 MB/],
      { inputs: { "archive-attachments": "true" }, files: { "noise.bin": noise(LIMIT) } },
    ],
    [
      "what can never fit when it is packed, at once",
      ["big"],
      ["what is to be packed into evidence.tgz is 1048576.0 MB"],
      { inputs: { "archive-attachments": "true" }, prepare: holes("big", "1T") },
    ],
    [
      "an archive that grows far over the limit, without packing all of it",
      ["."],
      [/packed from a part of \d+ files, is 1\d\d\.\d MB/],
      {
        inputs: { "archive-attachments": "true" },
        prepare: (at) => {
          const bytes = noise(LIMIT);
          for (let file = 0; file < 14; file++) writeFileSync(join(at, `n${file}`), bytes);
        },
      },
    ],
    [
      "a name that is not UTF-8 in what is packed",
      ["d"],
      ["has a name that is not UTF-8"],
      {
        inputs: { "archive-attachments": "true" },
        files: { "d/a": "x" },
        prepare: (at) =>
          writeFileSync(Buffer.concat([Buffer.from(join(at, "d/caf")), Buffer.from([0xe9])]), "x"),
      },
    ],
  ];

  test.each(refusals)("%s", { timeout: 60_000 }, async (_, attachments, said, call = {}) => {
    const attached = await attach(attachments, call);
    expectRefused(attached, ...said);
  });

  // On a machine that is busy with other tests it takes its time.
  test("100,000 files, in reasonable time", { timeout: 300_000 }, async () => {
    const script = "for d in $(seq 100); do mkdir $d; (cd $d; seq 1000 | xargs touch); done";
    const attached = await attach(["**/*", "!report.txt"], {
      prepare: (at) => void execFileSync("sh", ["-c", script], { cwd: at }),
    });
    expectRefused(attached, "there are 100000 files; at most 20 can be attached");
  });
});

describe("what can be attached arrives as it is:", () => {
  test("a link inside the workspace, what a hard link names, and a workspace that is a link", async () => {
    const attached = await attach(["in.xml", "hard.xml"], {
      files: { "a/x.xml": "inside" },
      prepare: (at) => {
        symlinkSync("a/x.xml", join(at, "in.xml"));
        linkSync(join(at, "a/x.xml"), join(at, "hard.xml"));
        symlinkSync(at, `${at}-link`);
      },
      envOf: (at) => ({ GITHUB_WORKSPACE: `${at}-link` }),
    });
    expectSuccess(attest, attached.step);
    expect(textsOf(attached)).toEqual(["inside", "inside"]);
  });

  test("a file of exactly 10 MiB, one of nothing, and lines that end in LF or CRLF", async () => {
    const files = { full: Buffer.alloc(LIMIT, 7), empty: "", lf: "a\nb\r\nc\r" };
    const attached = await attach(["full", "empty", "lf"], { files });
    expectSuccess(attest, attached.step);
    expect(filesOf(attached).map(({ bytes }) => bytes.length)).toEqual([LIMIT, 0, 7]);
    expect(textsOf(attached)[2]).toBe("a\nb\r\nc\r");
  });

  test("and data_json is a part without a file name, in one line", async () => {
    const { parts } = await attach(["report.txt"]);
    const [data] = parts;
    expect(data).toMatchObject({ name: "data_json" });
    expect(data?.fileName).toBeUndefined();
    expect(data?.bytes.toString()).toMatch(/^\{"attestation_name":"unit",[^\n]*\}$/);
  });

  test("files outside the workspace when that is allowed", async () => {
    const attached = await attach(["../event.json"], { inputs: { "allow-outside-workspace": "true" } });
    expect(namesOf(attached)).toEqual(["event.json"]);
  });

  test("files whose names are equal, or would be on another system, each by itself", async () => {
    const files = { "a/r.xml": "1", "b/r.xml": "2", "R.xml": "3", é: "4", [`e\u0301`]: "5" };
    const attached = await attach(["**/*", "!report.txt"], { files });
    expectSuccess(attest, attached.step);
    expect(new Set(textsOf(attached))).toEqual(new Set(["1", "2", "3", "4", "5"]));
  });

  test("names that would be commands, headers or paths elsewhere, and shown inert", async () => {
    const names = [
      "a\nb.txt",
      "a\r\n::error::x",
      'q".txt',
      "\u202egnp.exe",
      "NUL",
      "%0A.txt",
      `${"x".repeat(251)}.txt`,
    ];
    const attached = await attach(["*", "!report.txt"], {
      files: Object.fromEntries(names.map((name) => [name, name])),
    });
    expectSuccess(attest, attached.step);
    expect(textsOf(attached).sort()).toEqual([...names].sort());
    expect(attached.step.stdout + attached.step.summary).not.toMatch(/^::error|\u202e/m);
  });

  test("what is missing, as a warning, when that is asked for", async () => {
    const attached = await attach(["report.txt", "absent"], { inputs: { "if-no-files-found": "warn" } });
    expect(annotations(attached.step.stdout, "warning")).toEqual(["'absent' does not exist"]);
    expect(namesOf(attached)).toEqual(["report.txt"]);
  });

  test("packed, with the same bytes for the same files, under names that unpack in one folder", async () => {
    const call = (at: number) => ({
      inputs: { "archive-attachments": "true", "allow-outside-workspace": "true" },
      files: { "d/b": "2", "d/a": "1" },
      prepare: (workspace: string) => {
        for (const name of ["d/a", "d/b", "../event.json"]) utimesSync(join(workspace, name), at, at);
        chmodSync(join(workspace, "d/a"), at === 1 ? 0o600 : 0o755);
      },
    });
    const [one, two] = [
      await attach(["d/a", "d"], call(1)),
      await attach(["d/b", "d/*"], call(2_000_000_000)),
    ];
    expect(namesOf(one)).toEqual(["evidence.tgz"]);
    expect(filesOf(one)[0]?.bytes).toEqual(filesOf(two)[0]?.bytes);
    const tar = gunzipSync(filesOf(await attach(["../event.json"], call(1)))[0]?.bytes ?? Buffer.alloc(0));
    expect(tar.toString("latin1", 0, 100)).not.toContain("..");
  });
});

describe("a file that is not what it was when its turn comes is named, and no part of it is taken for it:", () => {
  const changes: [title: string, change: (path: string) => void][] = [
    ["it grows", (path) => appendFileSync(path, "more")],
    ["it shrinks", (path) => truncateSync(path, 1000)],
    ["it is written anew with the same size", (path) => writeFileSync(path, Buffer.alloc(LIMIT, 8))],
    ["it vanishes", (path) => rmSync(path)],
    [
      "a link takes its place",
      (path) => {
        rmSync(path);
        symlinkSync("/etc/passwd", path);
      },
    ],
    [
      "another file takes its place",
      (path) => {
        writeFileSync(`${path}.new`, "other");
        renameSync(`${path}.new`, path);
      },
    ],
  ];

  test.each(changes)("%s", async (_, change) => {
    // The first attempt is answered when the file has changed, and makes the second read it again.
    let path = "";
    const server = await httpServer((response) => {
      change(path);
      json(response, 503, { message: "busy" });
    });
    const files = { "large.bin": Buffer.alloc(LIMIT, 7) };
    const step = startSample(attest, { baseUrl: server.url, files, inputs: { attachments: "large.bin" } });
    path = join(step.workspace, "large.bin");
    expectFailure(attest, await step.ended, "large.bin: changed or vanished while it was being sent");
    expect(server.received).toHaveLength(1);
  });

  test.each(changes.slice(0, 3))("in the middle of sending, %s", async (_, change) => {
    // A service that reads the beginning only, and the rest when the file has changed.
    let path = "";
    const server = await tcpServer((socket) => {
      socket.once("data", () => {
        socket.pause();
        change(path);
        socket.resume();
      });
    });
    const files = { "large.bin": Buffer.alloc(LIMIT, 7) };
    const step = startSample(attest, { baseUrl: server.url, files, inputs: { attachments: "large.bin" } });
    path = join(step.workspace, "large.bin");
    expectFailure(attest, await step.ended, "large.bin: changed or vanished while it was being sent");
  });
});

describe("a template of begin-trail is held to the same rules:", () => {
  const beginTrail = sampleOf("begin-trail");
  const refusals: [title: string, path: string, said: string | RegExp, prepare?: Prepare][] = [
    ["a path that is not there", "absent.yml", "template-file: 'absent.yml' does not exist"],
    ["a directory", ".", "is a directory, not a file"],
    ["a FIFO", "pipe", "'pipe' is a FIFO", fifo],
    [
      "a link out of the workspace",
      "t.yml",
      "is outside the workspace",
      (at) => symlinkSync("/etc/passwd", join(at, "t.yml")),
    ],
    ["a path above the workspace", "../event.json", "is outside the workspace"],
    [
      "a file over 10 MiB",
      "big.yml",
      "'big.yml' is 10.1 MB; the limit is 10 MB",
      holes("big.yml", LIMIT + 1),
    ],
  ];

  test.each(refusals)("%s", async (_, path, said, prepare = () => {}) => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const step = await runSample(beginTrail, {
      baseUrl: server.url,
      inputs: { "template-file": path },
      prepare,
    });
    expectFailure(beginTrail, step, said);
    expect(server.received).toEqual([]);
    expect(step.seconds).toBeLessThan(10);
  });
});

/** Bytes that no compression makes smaller, the same ones each time. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0, state = 1; at < size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE((state ^ (state >>> 15)) >>> 0, at);
  }
  return bytes;
}
