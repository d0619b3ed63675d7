import { expect, test } from "vitest";
import { checkedStamp, RELEASED_AS, stampWorkflow } from "../../scripts/workflows/stamp.ts";
import { workflowFiles } from "./workflow-files.ts";

const STAMP = {
  repository: "platform/evidence",
  commit: "0123456789abcdef0123456789abcdef01234567",
  version: "v1.2.3",
};

test("a stamped workflow names repository and commit wherever it referred to itself", () => {
  const text = `jobs:
  call:
    uses: $/.github/workflows/attest-build.yml
  own:
    steps:
      - uses: $/actions/attest # the gate asks for it
      - name: Report
        uses: $/actions/report-env
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - run: echo 'uses is $/'
`;
  expect(stampWorkflow(text, STAMP)).toBe(`jobs:
  call:
    uses: platform/evidence/.github/workflows/attest-build.yml@0123456789abcdef0123456789abcdef01234567 # v1.2.3
  own:
    steps:
      - uses: platform/evidence/actions/attest@0123456789abcdef0123456789abcdef01234567 # v1.2.3
      - name: Report
        uses: platform/evidence/actions/report-env@0123456789abcdef0123456789abcdef01234567 # v1.2.3
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - run: echo 'uses is $/'
`);
});

test("a mirror replaces the stamps of a release", () => {
  const release = stampWorkflow("    uses: $/actions/attest\n", {
    ...STAMP,
    repository: RELEASED_AS,
  });
  expect(release).toContain(`uses: ${RELEASED_AS}/actions/attest@${STAMP.commit} # v1.2.3\n`);
  const mirror = { ...STAMP, commit: "f".repeat(40) };
  expect(stampWorkflow(release, mirror)).toBe(
    `    uses: platform/evidence/actions/attest@${"f".repeat(40)} # v1.2.3\n`,
  );
});

test.each(workflowFiles.map((file) => [file.name, file.text] as const))(
  "%s is unchanged except for those lines, none of which remains",
  (_, text) => {
    const [before, after] = [text.split("\n"), stampWorkflow(text, STAMP).split("\n")];
    expect(after.filter((line) => /uses: \$\//.test(line))).toEqual([]);
    const changed = before.filter((line, index) => line !== after[index]);
    expect(changed.filter((line) => !/^\s*(- )?uses: \$\/\S*$/.test(line))).toEqual([]);
  },
);

test.each([
  ["a short commit", { ...STAMP, commit: "0123456" }, /full commit/],
  ["no repository", { ...STAMP, repository: "evidence" }, /owner\/name/],
  ["a branch for a version", { ...STAMP, version: "main" }, /not a version/],
])("%s is rejected", (_, stamp, message) => {
  expect(() => checkedStamp(stamp)).toThrow(message);
});
