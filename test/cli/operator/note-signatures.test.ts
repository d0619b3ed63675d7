import { expect, test } from "vitest";
import { checkpointIn, policyIn } from "../../../src/cli/operator/note-signatures.ts";
import {
  cosignatureLine,
  cosignerKey,
  newSigner,
  signNote,
  verifierKey,
} from "../../../src/evidence/log/note.ts";

const log = newSigner("log.example/acme");
const text = `${log.name}\n3\n${"A".repeat(43)}=\n`;
const WITNESSES = { a: newSigner("a.example"), b: newSigner("b.example"), c: newSigner("c.example") };
const lines = Object.entries(WITNESSES).map(([name, key]) => `witness ${name} ${cosignerKey(key)}`);
const policy = (...more: string[]) => policyIn([`log ${verifierKey(log)}`, ...lines, ...more, ""].join("\n"));
const signedBy = (...witnesses: (keyof typeof WITNESSES)[]) =>
  signNote(text, [log]) + witnesses.map((name) => cosignatureLine(text, WITNESSES[name], 9)).join("");

test("a quorum counts the witnesses of groups within groups", () => {
  const quorum = policy("group two 2 a b c", "group one any a b", "group both all two one", "quorum both");
  const has = (note: string) => checkpointIn(note, quorum, "").hasQuorum;
  expect([has(signedBy("a", "c")), has(signedBy("c")), has(signedBy("a", "b", "c"))]).toEqual([
    true,
    false,
    true,
  ]);
  expect(checkpointIn(signedBy("a"), quorum, "").seen).toEqual(new Map([["a", 9]]));
});

test.each([["group x any x", "quorum x"], ["group x any nowhere"], ["group x any"], ["quorum nowhere"]])(
  "a policy with an undefined name is unreadable: %s",
  (...more) => {
    expect(() => policy(...more)).toThrow("the policy has an unknown line");
  },
);

test.each([[[]], [["quorum none", "quorum none"]]])("a policy with the quorums %j is unreadable", (lines) => {
  expect(() => policy(...lines)).toThrow(/the policy has (no|two) quorum line/);
});

test.each([
  ["a member of itself", ["group g any a", "group g any g"], "has the name g twice"],
  ["the name of a witness", ["group a any b"], "has the name a twice"],
  ["no member", ["group g 0 a"], "needs 0 of 1"],
  ["a negative number", ["group g -1 a"], "needs -1 of 1"],
  ["one member twice", ["group g 2 a a"], "needs 2 of 1"],
  ["one key twice", [`witness d ${cosignerKey(WITNESSES.a)}`], "the key of a witness twice"],
])("a group or witness with %s is unreadable", (_, lines, problem) => {
  expect(() => policy(...lines, "quorum none")).toThrow(problem);
});

test("a cosignature of another text, or too short, is wrong", () => {
  const other = cosignatureLine(text.replace("3", "4"), WITNESSES.a, 9);
  const [, name = "", encoded = ""] = cosignatureLine(text, WITNESSES.a, 9).split(" ");
  const short = `— ${name} ${Buffer.from(encoded, "base64").subarray(0, 9).toString("base64")}\n`;
  for (const line of [other, short]) {
    const { wrong, seen } = checkpointIn(signNote(text, [log]) + line, policy("quorum none"), "");
    expect([wrong, seen.size]).toEqual([["a.example"], 0]);
  }
});
