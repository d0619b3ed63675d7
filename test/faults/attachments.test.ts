import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer, json, type Received, tcpServer } from "../api/local-server.ts";
import { type PartRead, readParts } from "../api/multipart-reader.ts";
import {
  contentService,
  expectFailure,
  expectSuccess,
  runSample,
  runSampleBundle,
  sampleOf,
  startSample,
} from "./samples.ts";
import { annotations, type EndedStep, type StepCall } from "./step.ts";

const attest = sampleOf("attest");
const LIMIT = 10 * 1024 * 1024;
const NOBODY = 65534;

interface Attached {
  readonly step: EndedStep;
  readonly requests: readonly Received[];
  /** The parts of the request, if one was sent. */
  readonly parts: readonly PartRead[];
}

/** Runs attest with these attachments, one per line. */
async function attach(
  attachments: readonly string[],
  call: Partial<StepCall> = {},
  by = runSample,
): Promise<Attached> {
  const server = await httpServer((response) => json(response, 201, "OK"));
  const inputs = { attachments: attachments.join("\n"), ...call.inputs };
  const step = await by(attest, { ...call, baseUrl: server.url, inputs });
  const [request] = server.received;
  const parts = request ? await readParts(request.headers["content-type"] ?? "", request.body) : [];
  return { step, requests: server.received, parts };
}

const filesOf = ({ parts }: Attached) => parts.filter(({ fileName }) => fileName !== undefined);

/** Nothing was sent, and one annotation says why. */
function expectRefused({ step, requests }: Attached, ...said: (string | RegExp)[]): void {
  expectFailure(attest, step, ...said);
  expect(requests).toEqual([]);
}

describe("invalid attachments are rejected before any request:", () => {
  test("a FIFO matched by a glob, a link out of the workspace and a missing file, in one error", async () => {
    const attached = await attach(["p*", "link.xml", "absent.xml"], {
      prepare: (at) => {
        execFileSync("mkfifo", [join(at, "pipe")]);
        symlinkSync("/etc/passwd", join(at, "link.xml"));
      },
    });
    expectRefused(
      attached,
      "'pipe' is a FIFO, which cannot be sent",
      /'link.xml' is outside the workspace: '\/etc\/passwd' is not in '.*workspace'/,
      "'absent.xml' does not exist",
    );
  });

  test("files over 10 MiB, all of them named", async () => {
    const attached = await attach(["*.bin"], {
      files: { "a.bin": "", "b.bin": "" },
      prepare: (at) => {
        truncateSync(join(at, "a.bin"), LIMIT + 1);
        truncateSync(join(at, "b.bin"), 11_700_000);
      },
    });
    expectRefused(
      attached,
      "attachment 'a.bin' is 10.1 MB; the limit is 10 MB",
      "attachment 'b.bin' is 11.2 MB",
    );
  });

  test("a glob through a folder that the job may not read", async () => {
    const call: Partial<StepCall> = {
      files: { "reports/private/b.xml": "x", "reports/a.xml": "x" },
      user: NOBODY,
      prepare: (at) => chmodSync(join(at, "reports/private"), 0),
    };
    const attached = await attach(["**/*.xml"], call, runSampleBundle);
    const advice = "exclude it with '!reports/private'";
    expectRefused(attached, `'reports/private' cannot be searched for '**/*.xml': ${advice}`);
  });

  test("a FIFO as the template of a trail", async () => {
    const beginTrail = sampleOf("begin-trail");
    const server = await contentService(beginTrail);
    const step = await runSample(beginTrail, {
      baseUrl: server.url,
      inputs: { "template-file": "pipe" },
      prepare: (at) => void execFileSync("mkfifo", [join(at, "pipe")]),
    });
    expectFailure(beginTrail, step, "'pipe' is a FIFO");
    expect(server.received).toEqual([]);
  });
});

describe("valid attachments arrive unchanged:", () => {
  test("a file of exactly 10 MiB, an empty file, line ends, and names that are equal or would be on other systems", async () => {
    const files = {
      full: Buffer.alloc(LIMIT, 7),
      empty: "",
      lf: "a\nb\r\nc\r",
      ...{ "a/r.xml": "1", "b/r.xml": "2", "R.xml": "3", é: "4", [`e\u0301`]: "5" },
    };
    const attached = await attach(["full", "empty", "lf", "**/*.xml", "é", "e\u0301"], {
      files,
      inputs: { "if-no-files-found": "warn" },
    });
    expectSuccess(attest, attached.step);
    const [full, ...texts] = filesOf(attached).map(({ bytes }) => bytes);
    expect(full?.equals(files.full)).toBe(true);
    expect(texts.map(String).sort()).toEqual(["", "1", "2", "3", "4", "5", "a\nb\r\nc\r"]);
    const [data] = attached.parts;
    expect(data).toMatchObject({ name: "data_json" });
    expect(data?.fileName).toBeUndefined();
    expect(data?.bytes.toString()).toMatch(/^\{"attestation_name":"unit",[^\n]*\}$/);
  });

  test("existing files, with a warning about missing ones, when if-no-files-found allows it", async () => {
    const attached = await attach(["report.txt", "absent"], { inputs: { "if-no-files-found": "warn" } });
    expect(annotations(attached.step.stdout, "warning")).toEqual(["'absent' does not exist"]);
    expect(filesOf(attached).map(({ fileName }) => fileName)).toEqual(["report.txt"]);
  });
});

describe("a file that changes during the upload is named, and no part of it is recorded:", () => {
  const files = { "large.bin": Buffer.alloc(LIMIT, 7) };
  const inputs = { attachments: "large.bin" };
  const said = "large.bin: was changed or removed while it was sent";

  test("it is rewritten with the same size before the next attempt", async () => {
    let path = "";
    const server = await httpServer((response) => {
      writeFileSync(path, Buffer.alloc(LIMIT, 8));
      json(response, 503, { message: "busy" });
    });
    const step = startSample(attest, { baseUrl: server.url, files, inputs });
    path = join(step.workspace, "large.bin");
    expectFailure(attest, await step.ended, said);
    expect(server.received).toHaveLength(1);
  });

  test("it shrinks during the upload", async () => {
    let path = "";
    const server = await tcpServer((socket) => {
      socket.once("data", () => {
        socket.pause();
        truncateSync(path, 1000);
        socket.resume();
      });
    });
    const step = startSample(attest, { baseUrl: server.url, files, inputs });
    path = join(step.workspace, "large.bin");
    expectFailure(attest, await step.ended, said);
  });
});
