import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { distinctNames } from "../../../src/service/kernel/distinct-names.ts";
import { attestations } from "../attestation-requests.ts";
import { expectRefusal, type FileToPost, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let count = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

/** Attests with files, and follows the link of the record to them. */
async function download(files: readonly FileToPost[]) {
  const name = `scan-${++count}`;
  await pipeline(service).attest("web", "t1", { attestation_name: name }, files);
  const [record] = (await attestations(service).ofTrail("web", name)).body;
  const answer = await request(record._links.evidence.href, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.reader}` },
  });
  const { "content-type": type, "content-disposition": disposition } = answer.headers;
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  return { record, status: answer.statusCode, type, disposition, headers: answer.headers, bytes };
}

describe("evidence", () => {
  it("of one file is returned as it was sent", async () => {
    const content = Buffer.from([0, 1, 2, 255, 13, 10]);
    const { status, type, disposition, bytes } = await download([
      { name: "résumé 1.pdf", content, type: "application/pdf" },
    ]);
    expect([status, type, disposition]).toEqual([
      200,
      "application/pdf",
      "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%201.pdf",
    ]);
    expect(bytes).toEqual(content);
  });

  it("that a browser would run is served as bytes to save", async () => {
    const { type, disposition, headers } = await download([
      { name: "report.html", content: "<script>1</script>", type: "text/html" },
    ]);
    expect([type, disposition, headers["x-content-type-options"]]).toEqual([
      "application/octet-stream",
      "attachment; filename*=UTF-8''report.html",
      "nosniff",
    ]);
  });

  it("of several files is served as a gzip tar of them, in the order in which they were sent", async () => {
    const big = Buffer.alloc(300_000, "evidence ");
    const { record, type, disposition, bytes } = await download([
      { part: "attachment_file.0", name: "b.txt", content: "second name, first file" },
      { part: "attachment_file.1", name: "a.txt", content: big },
      { part: "attachment_file.2", name: "b.txt", content: "the same name again" },
      { part: "attachment_file.3", name: "empty.txt", content: "" },
      { part: "attachment_file.4", name: "B.TXT", content: "the same name where case does not count" },
    ]);
    expect(record.has_audit_package).toBe(true);
    expect([type, disposition]).toEqual(["application/gzip", "attachment; filename*=UTF-8''evidence.tgz"]);
    const entries = await unpackTar(gunzipSync(bytes));
    expect(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()])).toEqual([
      ["b.txt", "second name, first file"],
      ["a.txt", big.toString()],
      ["2-b.txt", "the same name again"],
      ["empty.txt", ""],
      ["3-B.TXT", "the same name where case does not count"],
    ]);
  });

  it("that was not sent is reported as missing, and there is no link to it", async () => {
    await pipeline(service).attest("web", "t1", { attestation_name: "bare" });
    const [record] = (await attestations(service).ofTrail("web", "bare")).body;
    expect([record.has_audit_package, Object.keys(record._links)]).toEqual([false, ["self"]]);
    expectRefusal(
      await send(service, {
        path: `/attestations/${ORG}/web/trail/t1/attestation/${record.attestation_id}/evidence`,
      }),
      404,
      "This attestation has no evidence file attached.",
    );
  });

  it("is found only in the flow and the trail of its attestation", async () => {
    const { record } = await download([{ name: "a.txt", content: "1" }]);
    await pipeline(service).attest("web", "t2");
    const at = (flow: string, trail: string, id: string) =>
      send(service, { path: `/attestations/${ORG}/${flow}/trail/${trail}/attestation/${id}/evidence` });
    const id: string = record.attestation_id;
    expectRefusal(
      await at("web", "t2", id),
      404,
      `Attestation '${id}' does not exist in trail 't2' of flow 'web'`,
    );
    expectRefusal(
      await at("web", "t1", "unknown"),
      404,
      "Attestation 'unknown' does not exist in trail 't1' of flow 'web'",
    );
    expect((await at("nowhere", "t1", id)).body.message).toContain("Flow named 'nowhere'");
    expect((await at("web", "nowhere", id)).body.message).toContain("Trail with name 'nowhere'");
  });
});

describe("the names in an archive", () => {
  it("are made unique by a number, also if that number is taken", () => {
    expect(distinctNames(["a", "a", "2-a", "a"])).toEqual(["a", "2-a", "2-2-a", "3-a"]);
  });

  it("remain distinct if they differ only by case, by composition of letters, or by dots and blanks at the end", () => {
    expect(distinctNames(["Report.txt", "report.TXT", "r\u00e9", "re\u0301", "\u00df", "SS"])).toEqual([
      "Report.txt",
      "2-report.TXT",
      "r\u00e9",
      "2-re\u0301",
      "\u00df",
      "2-SS",
    ]);
    expect(distinctNames(["a.txt", "a.txt.", "a.txt ", "...", "a. b"])).toEqual([
      "a.txt",
      "2-a.txt",
      "3-a.txt",
      "_",
      "a. b",
    ]);
    expect(distinctNames(["Stra\u1e9ee.txt", "strasse.txt"])).toEqual(["Stra\u1e9ee.txt", "2-strasse.txt"]);
  });
});
