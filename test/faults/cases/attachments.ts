import { section } from "./case.ts";

const ATTACHED = "faults/attachments.test.ts";
const READ = "evidence/attachments.test.ts";
const REFUSED = "what may not be attached";
const DATA = "evidence/json-data.test.ts";
const CHANGED =
  "a file that is not what it was when its turn comes is named, and no part of it is taken for it:";

/** Attachments and data. */
export const ATTACHMENTS = section(4, [
  [
    "missing path, empty glob",
    'exit 1, or a warning when asked for; never "0 attachments, success"',
    `${READ} > is an error that names each of them`,
    `${ATTACHED} > what cannot be attached is refused before any request: > %s`,
    `${ATTACHED} > what is missing, as a warning, when that is asked for`,
  ],
  [
    "directory",
    "refused, or packed when asked for",
    `${READ} > ${REFUSED} > is a directory, with the advice to use a glob or an archive`,
    `${ATTACHED} > packed, with the same bytes for the same files, under names that unpack in one folder`,
  ],
  [
    "FIFO, socket, /dev/zero",
    "refused without being opened",
    `${READ} > is a FIFO, socket or device, by name, by glob or through a link; none of them is opened`,
    `${READ} > is a file that claims to be empty and is not`,
  ],
  [
    "symlink inside pointing inside; pointing outside the workspace",
    "followed; refused with both paths",
    `${ATTACHED} > a link inside the workspace, what a hard link names, and a workspace that is a link`,
    `${READ} > is anything outside the workspace, however it is reached, and both paths are told`,
    `${READ} > is what a link into .git leads to, where checkouts keep their token`,
  ],
  [
    "../x, absolute path outside the workspace",
    "refused unless opted in",
    `${READ} > is anything outside the workspace, however it is reached, and both paths are told`,
    `${ATTACHED} > files outside the workspace when that is allowed`,
  ],
  [
    "10 MiB, one more",
    "sent; exit 1 before any request, all offenders listed",
    `${ATTACHED} > a file of exactly 10 MiB, one of nothing, and lines that end in LF or CRLF`,
    `${READ} > is a file over 10 MB: exactly that passes, and all that do not are listed`,
  ],
  [
    "0-byte file",
    "sent",
    `${ATTACHED} > a file of exactly 10 MiB, one of nothing, and lines that end in LF or CRLF`,
  ],
  ["sum of many files over the limit", "at most 20 files", `${READ} > is a twenty-first file`],
  [
    "file changes, truncates, vanishes during send",
    "exit 1 naming the file",
    `${ATTACHED} > ${CHANGED} > %s`,
    `${ATTACHED} > in the middle of sending, %s`,
  ],
  [
    "attachment is text with LF",
    "bytes identical at the server",
    `${ATTACHED} > a file of exactly 10 MiB, one of nothing, and lines that end in LF or CRLF`,
    "api/multipart.test.ts > what is sent is what another parser reads, byte for byte",
  ],
  [
    "data_json part",
    "has no filename",
    `${ATTACHED} > and data_json is a part without a file name, in one line`,
  ],
  [
    "user_data not an object, invalid JSON, BOM, NaN",
    "exit 1 with line and column",
    `${DATA} > JSON data is refused > line 1, column 7: the JSON has 'NaN' where a value should be`,
  ],
  [
    "data_json of 600 KB; a 413",
    "a warning, above 4 MB exit 1 with the size before sending; a 413 is explained",
    "api/address.test.ts > a body of over 4 MB, with its size and what to do",
  ],
  [
    "fingerprint upper case, sha256: prefix, 4 or 65 characters, non-hex",
    "normalised or exit 1; never a request for another artifact",
    "actions/assert-artifact.test.ts > never asks about another artifact than the one given",
    "evidence/fingerprint.test.ts > a fingerprint that was given",
  ],
  [
    "tar packing twice; over the limit after packing",
    "identical bytes; named",
    `${ATTACHED} > packed, with the same bytes for the same files, under names that unpack in one folder`,
    "evidence/archive.test.ts > an archive is refused > when it is over the limit after packing, with its size",
  ],
]);
