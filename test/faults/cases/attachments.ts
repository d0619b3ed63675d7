import { section } from "./case.ts";

const ATTACHED = "faults/attachments.test.ts";
const READ = "evidence/attachments.test.ts";
const REFUSED = "what may not be attached";
const SENT = "faults/data.test.ts";
const UNSENT = "what cannot be attached is refused before any request:";
const DATA = "evidence/json-data.test.ts";
const CHANGED =
  "a file that is not what it was when its turn comes is named, and no part of it is taken for it:";

/** Attachments and data. */
export const ATTACHMENTS = section(4, [
  [
    "missing path, empty glob",
    'exit 1, or a warning when asked for; never "0 attachments, success"',
    `${READ} > is an error that names each of them`,
    `${ATTACHED} > ${UNSENT} > a path that is not there`,
    `${ATTACHED} > ${UNSENT} > a glob that finds nothing`,
    `${ATTACHED} > what is missing, as a warning, when that is asked for`,
  ],
  [
    "directory",
    "refused, or packed when asked for",
    `${ATTACHED} > ${UNSENT} > a directory`,
    `${READ} > ${REFUSED} > is a directory, with the advice to use a glob or an archive`,
    `${ATTACHED} > packed, with the same bytes for the same files, under names that unpack in one folder`,
  ],
  [
    "FIFO, socket, /dev/zero",
    "refused without being opened",
    `${ATTACHED} > ${UNSENT} > a FIFO that a glob finds`,
    `${ATTACHED} > ${UNSENT} > a socket`,
    `${ATTACHED} > ${UNSENT} > a device`,
    `${ATTACHED} > ${UNSENT} > a file of /proc`,
    `${ATTACHED} > a template of begin-trail is held to the same rules: > a FIFO`,
    `${READ} > is a FIFO, socket or device, by name, by glob or through a link; none of them is opened`,
    `${READ} > is a file that claims to be empty and is not`,
  ],
  [
    "symlink inside pointing inside; pointing outside the workspace",
    "followed; refused with both paths",
    `${ATTACHED} > a link inside the workspace, what a hard link names, and a workspace that is a link`,
    `${ATTACHED} > ${UNSENT} > a link out of the workspace`,
    `${ATTACHED} > ${UNSENT} > what a linked folder outside holds`,
    `${ATTACHED} > ${UNSENT} > a link into .git`,
    `${READ} > is what a link into .git leads to, where checkouts keep their token`,
  ],
  [
    "../x, absolute path outside the workspace",
    "refused unless opted in",
    `${ATTACHED} > ${UNSENT} > a path above the workspace`,
    `${ATTACHED} > ${UNSENT} > an absolute path outside`,
    `${READ} > is anything outside the workspace, however it is reached, and both paths are told`,
    `${ATTACHED} > files outside the workspace when that is allowed`,
  ],
  [
    "10 MiB, one more",
    "sent; exit 1 before any request, all offenders listed",
    `${ATTACHED} > a file of exactly 10 MiB, one of nothing, and lines that end in LF or CRLF`,
    `${ATTACHED} > ${UNSENT} > files over 10 MiB, all of them named`,
    `${READ} > is a file over 10 MB: exactly that passes, and all that do not are listed`,
  ],
  [
    "0-byte file",
    "sent",
    `${ATTACHED} > a file of exactly 10 MiB, one of nothing, and lines that end in LF or CRLF`,
  ],
  [
    "sum of many files over the limit",
    "at most 20 files",
    `${ATTACHED} > ${UNSENT} > a twenty-first file`,
    `${READ} > is a twenty-first file`,
  ],
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
    `${SENT} > user-data of %s is refused before any request: > NaN`,
    `${SENT} > user-data of %s is refused before any request: > a byte order mark`,
    `${SENT} > user-data of %s is refused before any request: > a single value`,
    `${DATA} > JSON data is refused > line 1, column 7: the JSON has 'NaN' where a value should be`,
  ],
  [
    "data_json of 600 KB; a 413",
    "a warning, above 4 MB exit 1 with the size before sending; a 413 is explained",
    `${SENT} > the size of data_json: > 600 kB are sent by %s, with a warning that says how much it is`,
    `${SENT} > the size of data_json: > above 4 MB nothing is sent, and the size is told`,
    `${SENT} > the size of data_json: > a service with a lower limit is quoted, and asked once`,
    "api/address.test.ts > a body of over 4 MB, with its size and what to do",
  ],
  [
    "fingerprint upper case, sha256: prefix, 4 or 65 characters, non-hex",
    "normalised or exit 1; never a request for another artifact",
    `${SENT} > a fingerprint > is taken by %s in every way it is written, as one`,
    `${SENT} > a fingerprint > that is none is refused by %s before any request`,
    `${SENT} > a fingerprint > is never made by %s of what is no file`,
    "actions/assert-artifact.test.ts > never asks about another artifact than the one given",
    "evidence/fingerprint.test.ts > a fingerprint that was given",
  ],
  [
    "tar packing twice; over the limit after packing",
    "identical bytes; named",
    `${ATTACHED} > packed, with the same bytes for the same files, under names that unpack in one folder`,
    `${ATTACHED} > ${UNSENT} > what is over the limit after packing`,
    "evidence/archive.test.ts > an archive is refused > when it is over the limit after packing, with its size",
  ],
  [
    "a size of more than 32 bits (added)",
    "refused with the size it has: a Blob would take it for a small one",
    `${ATTACHED} > ${UNSENT} > a file of holes whose size has more than 32 bits`,
    `${ATTACHED} > ${UNSENT} > a file of just over 4 GiB, whose size in 32 bits is small`,
  ],
  [
    "an archive of a terabyte, or of more than anybody would wait for (added)",
    "refused at once, or as soon as it is far over the limit",
    `${ATTACHED} > ${UNSENT} > what can never fit when it is packed, at once`,
    `${ATTACHED} > ${UNSENT} > an archive that grows far over the limit, without packing all of it`,
  ],
  [
    "globs that blow up: braces, ranges, 100,000 files (added)",
    "refused in reasonable time, also where they take files back",
    `${ATTACHED} > ${UNSENT} > braces that stand for millions of patterns`,
    `${ATTACHED} > ${UNSENT} > a range in braces of millions`,
    `${ATTACHED} > ${UNSENT} > the same where files are taken back, which would then be sent`,
    `${ATTACHED} > ${UNSENT} > 100,000 files, in reasonable time`,
  ],
  [
    "names: not UTF-8, line breaks, right-to-left, 255 bytes, equal base names, equal but for case or normal form (added)",
    "the first refused, even where nothing need be found; all others sent, shown inert",
    `${ATTACHED} > ${UNSENT} > a name that is not UTF-8, even when none need be found`,
    `${ATTACHED} > ${UNSENT} > a name that is not UTF-8 in what is packed`,
    `${ATTACHED} > names that would be commands, headers or paths elsewhere, and shown inert`,
    "faults/injection.test.ts > the names of files command nothing > when there is none of the name %j, or it is too large",
    `${ATTACHED} > files whose names are equal, or would be on another system, each by itself`,
  ],
  [
    "a file or a folder on a glob's way that may not be read (added)",
    "exit 1 naming it, with the pattern that leaves it out; never silently without what it holds",
    `${ATTACHED} > ${UNSENT} > a file that may not be read`,
    `${ATTACHED} > ${UNSENT} > a glob through a folder that may not be looked into`,
  ],
  [
    "data with __proto__, lone surrogates, big numbers, repeated names, 10,000 levels (added)",
    "sent as it is, or refused with line and column; a manifest or config likewise",
    `${SENT} > user-data of %s arrives with every digit, name and sign it has`,
    `${SENT} > user-data of %s is refused before any request: > a nesting of 10,000 levels`,
    `${SENT} > user-data of %s is refused before any request: > a name given twice`,
    `${SENT} > a manifest or config that is nested 10,000 levels deep is refused in words of ours`,
  ],
]);
