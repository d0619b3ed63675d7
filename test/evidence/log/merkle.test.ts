import { expect, test } from "vitest";
import {
  consistencyProof,
  EMPTY_ROOT,
  inclusionProof,
  isConsistent,
  leafHash,
  type NodeAt,
  nodeHash,
  rangeProof,
  rootFromInclusion,
  rootOf,
} from "../../../src/evidence/log/merkle.ts";
import { nodesIn } from "../../../src/evidence/log/tiles.ts";

// Leaves and roots of the tests of transparency-dev/merkle (Apache-2.0), for RFC 6962.
const LEAVES = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const ROOTS = [
  "e3b0c442",
  "6e340b9c",
  "fac54203",
  "aeb6bcfe",
  "d37ee418",
  "4e3bbb1f",
  "76e67dad",
  "ddb89be4",
  "5dc9da79",
];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The nodes of a tree by the definition. */
function treeOf(leaves: readonly Uint8Array[]): NodeAt {
  const at = (level: number, index: number): Uint8Array =>
    level === 0
      ? (leaves[index] ?? new Uint8Array())
      : nodeHash(at(level - 1, 2 * index), at(level - 1, 2 * index + 1));
  return async (level, index) => at(level, index);
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, n) => leafHash(Buffer.from(`${n}`)));

test("hashes and roots are those of RFC 6962", async () => {
  expect(hex(leafHash(Buffer.from("L123456")))).toMatch(/^395aa064.*4d56$/);
  const at = treeOf(LEAVES.map((leaf) => leafHash(Buffer.from(leaf, "hex"))));
  for (const [size, root] of ROOTS.entries())
    expect(hex(await rootOf(at, size)).slice(0, 8), `${size}`).toBe(root);
});

test("each leaf of each tree has a proof, which no other position and no changed proof has", async () => {
  const leaves = leavesOf(40);
  const at = treeOf(leaves);
  for (let size = 1; size <= leaves.length; size++) {
    const root = hex(await rootOf(at, size));
    for (let index = 0; index < size; index++) {
      const proof = await inclusionProof(at, index, size);
      const leaf = leaves[index] ?? EMPTY_ROOT;
      const led = (changed: object) => rootFromInclusion({ index, size, leaf, proof, ...changed });
      expect(hex(led({}) ?? EMPTY_ROOT), `${index} of ${size}`).toBe(root);
      expect(hex(led({ index: (index + 1) % size }) ?? EMPTY_ROOT) === root).toBe(size === 1);
      expect(led({ proof: [...proof, leaf] })).toBeUndefined();
      const short = proof.map((hash, at) => (at === 0 ? hash.subarray(1) : hash));
      if (proof.length > 0) expect(led({ proof: short })).toBeUndefined();
      expect(led({ index: size })).toBeUndefined();
      if (proof.length > 0) expect(led({ proof: proof.slice(1) })).toBeUndefined();
    }
  }
});

test("each tree proves that it begins with each smaller one, and with no other", async () => {
  const leaves = leavesOf(40);
  const at = treeOf(leaves);
  const other = treeOf(leaves.map((leaf) => leafHash(leaf)));
  for (let size = 0; size <= leaves.length; size++) {
    for (let earlier = 0; earlier <= size; earlier++) {
      const proof = await consistencyProof(at, earlier, size);
      const former = { size: earlier, root: await rootOf(at, earlier) };
      const latter = { size, root: await rootOf(at, size) };
      expect(isConsistent({ former, latter, proof }), `${earlier} of ${size}`).toBe(true);
      expect(isConsistent({ former, latter, proof: [...proof, EMPTY_ROOT] })).toBe(false);
      if (earlier === 0) continue;
      const forged = { size: earlier, root: await rootOf(other, earlier) };
      expect(isConsistent({ former: forged, latter, proof })).toBe(false);
      const forgedLatter = { size, root: await rootOf(other, size) };
      expect(isConsistent({ former, latter: forgedLatter, proof })).toBe(false);
      for (const [index] of proof.entries())
        expect(isConsistent({ former, latter, proof: proof.with(index, EMPTY_ROOT) })).toBe(false);
    }
  }
});

test("positions beyond 32 bits have proofs as well", async () => {
  // A tree whose leaves are all equal needs one hash for each level.
  const levels = [leafHash(Buffer.from("same"))];
  for (let level = 1; level < 53; level++) {
    const below = levels[level - 1] ?? EMPTY_ROOT;
    levels.push(nodeHash(below, below));
  }
  const at: NodeAt = async (level) => levels[level] ?? EMPTY_ROOT;
  const [size, index] = [2 ** 40 + 2 ** 33 + 5, 2 ** 40 + 2 ** 32 + 3];
  const proof = await inclusionProof(at, index, size);
  const root = await rootOf(at, size);
  expect(rootFromInclusion({ index, size, leaf: await at(0, 0), proof })).toEqual(root);
  const former = { size: index, root: await rootOf(at, index) };
  expect(
    isConsistent({ former, latter: { size, root }, proof: await consistencyProof(at, index, size) }),
  ).toBe(true);
});

test("the tiles of a tree have its nodes", async () => {
  const entries = leavesOf(1_000);
  const at = treeOf(entries.map(leafHash));
  /** All nodes on a level of the tree, from a position on. */
  const nodes = async (level: number, first: number, count: number) => {
    const all = Math.floor(entries.length / 2 ** level);
    const width = Math.max(0, Math.min(count, all - first));
    return Buffer.concat(await Promise.all(Array.from({ length: width }, (_, n) => at(level, first + n))));
  };
  const tiles = nodesIn(async (level, index) => ({
    hashes:
      level === 0
        ? Buffer.concat(entries.slice(index * 256, (index + 1) * 256))
        : await nodes(level * 8, index * 256, 256),
    halfway: await nodes(level * 8 + 4, index * 16, 16),
  }));
  for (const size of [1, 255, 256, 257, 511, 513, 1_000]) {
    expect(await rootOf(tiles, size)).toEqual(await rootOf(at, size));
    const index = Math.floor(size / 3);
    expect(await inclusionProof(tiles, index, size)).toEqual(await inclusionProof(at, index, size));
  }
});

test("each range of each tree has as many hashes beside it as its ends have in their proofs, without repetition", async () => {
  const leaves = leavesOf(20);
  const at = treeOf(leaves);
  for (let size = 1; size <= leaves.length; size++) {
    for (let first = 0; first < size; first++) {
      for (let end = first + 1; end <= size; end++) {
        const beside = (await rangeProof(at, { first, end, size })).map(hex);
        const left = await inclusionProof(at, first, size);
        const right = await inclusionProof(at, end - 1, size);
        const known = new Set([...left, ...right].map(hex));
        expect(new Set(beside).size).toBe(beside.length);
        expect(beside.filter((each) => !known.has(each))).toEqual([]);
      }
    }
  }
});
