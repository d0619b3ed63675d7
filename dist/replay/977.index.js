export const id = 977;
export const ids = [977,20];
export const modules = {

/***/ 6340:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z2: () => (/* binding */ putDurably),
/* harmony export */   v8: () => (/* binding */ writeDurably)
/* harmony export */ });
/* unused harmony exports moveDurably, syncFolder */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);



/** Writes a new file that only its owner may read, to the disk and not only to the system's memory. */
async function writeDurably(path, content) {
    const hash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256");
    let size = 0;
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, "wx", 0o600);
    try {
        for await (const chunk of content) {
            hash.update(chunk);
            size += chunk.byteLength;
            await file.appendFile(chunk);
        }
        await file.sync();
    }
    finally {
        await file.close();
    }
    return { size, sha256: hash.digest("hex") };
}
/** Puts something in its place at once: whoever looks finds all of it or nothing. */
async function moveDurably(from, to) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(from, to);
    await syncFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(to));
}
/** Writes a small file that is there whole or not at all, whoever else writes the same. */
async function putDurably(path, text) {
    const draft = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path), `.writing-${crypto.randomUUID()}`);
    await writeDurably(draft, [Buffer.from(text)]);
    await moveDurably(draft, path);
}
/** What a folder lists is data of its own. Windows has no way to sync it, and needs none. */
async function syncFolder(path) {
    if (process.platform === "win32")
        return;
    const folder = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, "r");
    try {
        await folder.sync();
    }
    finally {
        await folder.close();
    }
}


/***/ }),

/***/ 2977:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   unpackSpool: () => (/* binding */ unpackSpool)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _durable_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6340);
/* harmony import */ var _layout_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6657);
/* harmony import */ var _read_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4470);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1043);
/* harmony import */ var _zip_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9020);







/**
 * Unpacks a spool that was kept as a workflow artifact. Only what belongs to a submission is taken, by name, so that
 * nothing lands outside of the folder; and no marks of what is on record, because only the service can tell that.
 *
 * @param folder is made
 * @throws {ZipError} when the archive cannot be read, or holds a file larger than any submission has
 */
async function unpackSpool(archive, folder) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)(folder, { recursive: true });
    await (0,_zip_js__WEBPACK_IMPORTED_MODULE_5__/* .withZip */ .o)(archive, async (files) => {
        for (const file of files.filter(({ name }) => belongs(name))) {
            if (file.size > _read_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_KEPT_BYTES */ .iN)
                throw new _zip_js__WEBPACK_IMPORTED_MODULE_5__.ZipError(`'${file.name}' is larger than anything that is kept`);
            const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, ...file.name.split("/"));
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path), { recursive: true });
            await (0,_durable_js__WEBPACK_IMPORTED_MODULE_2__/* .writeDurably */ .v8)(path, [await file.read()]);
        }
    });
}
function belongs(name) {
    const [submission = "", file, number = "", ...deeper] = name.split("/");
    if (!(0,_submission_js__WEBPACK_IMPORTED_MODULE_6__/* .isSubmissionName */ .Ac)(submission) || deeper.length > 0)
        return false;
    return file === _layout_js__WEBPACK_IMPORTED_MODULE_3__/* .FILES_FOLDER */ .rv ? /^\d{1,3}$/.test(number) : file === _layout_js__WEBPACK_IMPORTED_MODULE_3__/* .SUBMISSION_FILE */ .Ku && number === "";
}


/***/ }),

/***/ 9020:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ZipError: () => (/* binding */ ZipError),
/* harmony export */   o: () => (/* binding */ withZip)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7975);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8522);



/** An archive that cannot be read. */
class ZipError extends Error {
}
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** A comment of any length may follow the end record. */
const MAX_COMMENT_BYTES = 0xffff;
const LISTED_SIGNATURE = 0x02014b50;
const LISTED_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Stands for a number that only the extension for larger archives can hold. */
const ELSEWHERE = 0xffffffff;
const inflate = (0,node_util__WEBPACK_IMPORTED_MODULE_1__.promisify)(node_zlib__WEBPACK_IMPORTED_MODULE_2__.inflateRaw);
/**
 * Gives the files of an archive to a reader, while it is open.
 *
 * @throws {ZipError} when it is not one, or larger than is read here
 */
async function withZip(path, read) {
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(path, "r");
    try {
        return await read(await filesIn(file));
    }
    finally {
        await file.close();
    }
}
async function filesIn(file) {
    const { size } = await file.stat();
    const tail = await bytesAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES), size);
    const end = tail.lastIndexOf(Buffer.from("PK\x05\x06"));
    if (end < 0 || tail.length - end < END_BYTES || tail.readUInt32LE(end) !== END_SIGNATURE) {
        throw new ZipError("it is not a ZIP archive, or only the beginning of one");
    }
    const listBytes = tail.readUInt32LE(end + 12);
    const listStart = tail.readUInt32LE(end + 16);
    if (listBytes === ELSEWHERE || listStart === ELSEWHERE)
        throw new ZipError("it is larger than 4 GB");
    return listedIn(await bytesAt(file, listStart, listStart + listBytes), file);
}
function listedIn(list, archive) {
    const files = [];
    for (let at = 0; at < list.length;) {
        if (list.length - at < LISTED_BYTES || list.readUInt32LE(at) !== LISTED_SIGNATURE) {
            throw new ZipError("its list of files is damaged");
        }
        const nameEnd = at + LISTED_BYTES + list.readUInt16LE(at + 28);
        const name = list.toString("utf8", at + LISTED_BYTES, nameEnd);
        const entry = {
            name,
            encrypted: (list.readUInt16LE(at + 8) & 1) === 1,
            method: list.readUInt16LE(at + 10),
            checksum: list.readUInt32LE(at + 16),
            packedSize: list.readUInt32LE(at + 20),
            size: list.readUInt32LE(at + 24),
            start: list.readUInt32LE(at + 42),
        };
        files.push({ name, size: entry.size, read: () => unpack(entry, archive) });
        at = nameEnd + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
    }
    return files;
}
async function unpack(entry, archive) {
    const { name, encrypted, method, checksum, packedSize, size, start } = entry;
    if (encrypted || (method !== STORED && method !== DEFLATED)) {
        throw new ZipError(`'${name}' is packed in a way that is not read here`);
    }
    const head = await bytesAt(archive, start, start + LOCAL_BYTES);
    if (head.readUInt32LE(0) !== LOCAL_SIGNATURE)
        throw new ZipError(`'${name}' is not where it should be`);
    const from = start + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
    const packed = await bytesAt(archive, from, from + packedSize);
    // Never more than the list says, however much is packed in it.
    const bytes = method === STORED
        ? packed
        : await inflate(packed, { maxOutputLength: Math.max(1, size) }).catch((cause) => {
            throw new ZipError(`'${name}' cannot be unpacked`, { cause });
        });
    if (bytes.length !== size || (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.crc32)(bytes) !== checksum)
        throw new ZipError(`'${name}' is damaged`);
    return bytes;
}
async function bytesAt(file, from, to) {
    const { size } = await file.stat();
    if (to > size)
        throw new ZipError("it is cut off");
    const bytes = Buffer.alloc(to - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    if (bytesRead < bytes.length)
        throw new ZipError("it is cut off");
    return bytes;
}


/***/ })

};
