import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { isConsistent, leafHash, rootFromInclusion } from "../../src/evidence/log/merkle.ts";
import { openNote, parseCheckpoint, parseVerifierKey } from "../../src/evidence/log/note.ts";
import { pipeline } from "./pipeline.ts";
import { conformance } from "./target.ts";

const target = await conformance();
const { client, ask, org } = target;
const { delivered, attest } = pipeline(target);

async function attested(): Promise<string> {
  const name = await attest(await delivered());
  const { body } = await client.listAttestations({ name });
  return body.data[0]?.attestationId ?? "";
}

async function textOf(file: Promise<{ readonly body: { readonly content: Uint8Array } }>): Promise<string> {
  return Buffer.from((await file).body.content).toString();
}

/** A checkpoint whose signature by a key of the policy is checked. */
async function checked(note: string) {
  const policy = await textOf(client.getLogPolicy({}));
  const keys = [...policy.matchAll(/^log (\S+)$/gm)].map(([, key = ""]) => parseVerifierKey(key));
  const opened = keys.map((key) => openNote(note, key)).find((text) => text !== undefined);
  return parseCheckpoint(opened ?? "unsigned");
}

it("an attestation is proven as soon as it is recorded", async () => {
  const attestationId = await attested();
  const { body } = await client.getLogProof({ attestationId });
  expect(JSON.parse(body.event)).toMatchObject({
    type: "attestation.recorded",
    subject_id: attestationId,
    data: { is_compliant: true },
  });
  const [, index, hashes = "", note = ""] =
    /^c2sp\.org\/tlog-proof@v1\nindex (\d+)\n((?:\S+\n)*)\n(.*)$/s.exec(body.proof) ?? [];
  const checkpoint = await checked(note);
  expect(checkpoint).toMatchObject({ origin: expect.stringContaining(org), size: body.size });
  expect(Number(index)).toBe(body.index);
  const entry = createHash("sha256").update(body.event).digest();
  const proof = hashes
    .split("\n")
    .filter(Boolean)
    .map((hash) => Buffer.from(hash, "base64"));
  const led = rootFromInclusion({ index: body.index, size: body.size, leaf: leafHash(entry), proof });
  expect(led).toEqual(checkpoint.root);
  const place = Math.floor(body.index / 256)
    .toString()
    .padStart(3, "0");
  const width = (body.index % 256) + 1;
  const partial = width === 256 ? "" : `.p/${width}`;
  const tile = await client.getLogTile({ path: `0/${place}${partial}` });
  expect(Buffer.from(tile.body.content.subarray(-32))).toEqual(Buffer.from(leafHash(entry)));
  const entries = await client.getLogTile({ path: `entries/${place}${partial}` });
  expect(Buffer.from(entries.body.content.subarray(-32))).toEqual(entry);
  const byEvent = await client.getLogProof({ eventId: JSON.parse(body.event).id });
  expect(byEvent.body.index).toBe(body.index);
});

it("each checkpoint continues the one before", async () => {
  const proven = async () => (await client.getLogProof({ attestationId: await attested() })).body;
  const [before, after] = [await proven(), await proven()];
  const [former, latter] = await Promise.all(
    [before, after].map(({ proof }) => checked(proof.slice(proof.indexOf("\n\n") + 2))),
  );
  const { body } = await client.getLogConsistency({ from: before.size, to: after.size });
  const proof = body.proof.map((hash) => Buffer.from(hash, "base64"));
  expect(former && latter && isConsistent({ former, latter, proof })).toBe(true);
  expect((await checked(await textOf(client.getLogCheckpoint({})))).size).toBeGreaterThanOrEqual(after.size);
});

it("refuses what is not there", async () => {
  const none = "00000000-0000-4000-8000-00000000";
  const refused = async (name: Parameters<typeof ask>[0], request: object, status: number, code: string) => {
    const answer = await ask(name, request);
    expect([answer.status, Object(answer.body).code], JSON.stringify(request)).toEqual([status, code]);
  };
  await refused("getLogProof", { query: { attestation_id: none } }, 404, "log.event_not_found");
  await refused("getLogProof", { query: { event_id: none } }, 404, "log.event_not_found");
  await refused("getLogProof", {}, 400, "log.no_event");
  await refused("getLogProof", { query: { event_id: none, attestation_id: none } }, 400, "log.no_event");
  await refused("getLogConsistency", { query: { from: 2, to: 1 } }, 400, "log.no_range");
  await refused("getLogConsistency", { query: { from: 0, to: 10_000_000 } }, 400, "log.no_range");
  for (const path of ["0/000.p/0", "0/999", "9/000", "entries/x001/000", "0/000/../../policy"])
    await refused("getLogTile", { params: { path } }, 404, "log.tile_not_found");
});
