import { expect, test } from "vitest";
import { checkpointIn, policyIn } from "../../../src/cli/operator/note-signatures.ts";
import { checkKept } from "../../../src/cli/operator/verify-checkpoint.ts";
import {
  consistencyProof,
  leafHash,
  type NodeAt,
  nodeHash,
  rootOf,
} from "../../../src/evidence/log/merkle.ts";
import { checkpointText, newSigner, signNote, verifierKey } from "../../../src/evidence/log/note.ts";

const log = newSigner("log.example/acme");
const policy = policyIn(`log ${verifierKey(log)}\nquorum none\n`);
const at: NodeAt = async (level, index) =>
  level === 0
    ? leafHash(Buffer.from(`${index}`))
    : nodeHash(await at(level - 1, 2 * index), await at(level - 1, 2 * index + 1));

test("every log continues each earlier checkpoint with its own proof, and no other", async () => {
  const sizes = Array.from({ length: 18 }, (_, size) => size);
  const notes = await Promise.all(
    sizes.map(async (size) =>
      signNote(checkpointText({ origin: log.name, size, root: await rootOf(at, size) }), [log]),
    ),
  );
  for (const from of sizes) {
    for (const to of sizes.slice(from + 1)) {
      const proof = (await consistencyProof(at, from, to)).map((hash) =>
        Buffer.from(hash).toString("base64"),
      );
      const result = (kept: number, packaged: number, hashes: readonly string[]) => {
        const said: string[] = [];
        const compared = {
          kept: {
            checkpoint: notes[kept] ?? "",
            consistency: JSON.stringify({ from, to, proof: hashes }),
          },
          log: checkpointIn(notes[packaged] ?? "", policy, "log/checkpoint"),
          policy,
        };
        const saying = { tampered: (text: string) => said.push(text), undecided: expect.unreachable };
        return checkKept(compared, saying)?.size ?? said.join();
      };
      expect(result(from, to, proof)).toBe(from);
      expect(result(to, from, proof)).toBe(to);
      const wrong = Buffer.alloc(32, 7).toString("base64");
      for (const hashes of [[...proof, wrong], ...proof.map((_, index) => proof.with(index, wrong))])
        expect(result(from, to, hashes), `${from} to ${to}`).toContain("does not begin with");
    }
  }
});

test("an empty log has one root only", async () => {
  const signed = (size: number, root: Uint8Array) =>
    signNote(checkpointText({ origin: log.name, size, root }), [log]);
  const said: string[] = [];
  const kept = {
    checkpoint: signed(0, Buffer.alloc(32)),
    consistency: JSON.stringify({ from: 0, to: 1, proof: [] }),
  };
  const packaged = checkpointIn(signed(1, await rootOf(at, 1)), policy, "log/checkpoint");
  const saying = { tampered: (text: string) => said.push(text), undecided: expect.unreachable };
  expect(checkKept({ kept, log: packaged, policy }, saying)).toBe(undefined);
  expect(said).toEqual([expect.stringContaining("does not begin with the 0 entries")]);
});
