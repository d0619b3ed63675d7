export const id = 977;
export const ids = [977];
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
/* harmony export */   ZipError: () => (/* binding */ ZipError),
/* harmony export */   unpackSpool: () => (/* binding */ unpackSpool)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8522);
/* harmony import */ var yauzl__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(663);
/* harmony import */ var _durable_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6340);
/* harmony import */ var _layout_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(953);
/* harmony import */ var _read_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1543);
/* harmony import */ var _submission_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(1043);








/** An archive that cannot be read. */
class ZipError extends Error {
}
/** Far more than a job spools, and less than a runner has room for. */
const LIMITS = { files: 50_000, bytes: 4 * 1024 ** 3 };
/**
 * Unpacks a spool that was kept as a workflow artifact. Only what belongs to a submission is taken, by name, so that
 * nothing lands outside of the folder; and no marks of what is on record, because only the service can tell that.
 *
 * @param folder is made
 * @throws {ZipError} when the archive cannot be read, or holds more than any spool has. What was unpacked until then
 * stays: a submission that is not whole is found out when it is opened.
 */
async function unpackSpool(archive, folder, limits = LIMITS) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)(folder, { recursive: true });
    const zip = await open(archive);
    try {
        if (zip.entryCount > limits.files)
            throw new ZipError("it holds more files than any spool");
        let left = limits.bytes;
        const taken = new Set();
        for await (const entry of entriesOf(zip)) {
            if (!belongs(entry.fileName))
                continue;
            if (taken.has(entry.fileName))
                throw new ZipError(`'${entry.fileName}' is in it twice`);
            taken.add(entry.fileName);
            left -= entry.uncompressedSize;
            if (entry.uncompressedSize > _read_js__WEBPACK_IMPORTED_MODULE_6__/* .MAX_KEPT_BYTES */ .iN || left < 0) {
                throw new ZipError(`'${entry.fileName}' makes it larger than any spool`);
            }
            const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, ...entry.fileName.split("/"));
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path), { recursive: true });
            await (0,_durable_js__WEBPACK_IMPORTED_MODULE_4__/* .writeDurably */ .v8)(path, bytesOf(zip, entry));
        }
    }
    finally {
        zip.close();
    }
}
function belongs(name) {
    const [submission = "", file, number = "", ...deeper] = name.split("/");
    if (!(0,_submission_js__WEBPACK_IMPORTED_MODULE_7__/* .isSubmissionName */ .Ac)(submission) || deeper.length > 0)
        return false;
    return file === _layout_js__WEBPACK_IMPORTED_MODULE_5__/* .FILES_FOLDER */ .rv ? /^\d{1,3}$/.test(number) : file === _layout_js__WEBPACK_IMPORTED_MODULE_5__/* .SUBMISSION_FILE */ .Ku && number === "";
}
function open(archive) {
    // Names that lead out of a folder are refused, and so are those with backslashes.
    const options = { autoClose: false, strictFileNames: true };
    return (0,yauzl__WEBPACK_IMPORTED_MODULE_3__/* .openPromise */ .sO)(archive, options).catch((error) => {
        throw unreadable("it is not a ZIP archive, or only a part of one", error);
    });
}
async function* entriesOf(zip) {
    try {
        yield* zip.eachEntry();
    }
    catch (error) {
        throw unreadable("its list of files is damaged", error);
    }
}
/** The bytes of a file: never more than the archive says, however much is packed in it. */
async function* bytesOf(zip, entry) {
    let checksum = 0;
    try {
        const content = await zip.openReadStreamPromise(entry);
        for await (const chunk of content) {
            checksum = (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.crc32)(chunk, checksum);
            yield chunk;
        }
    }
    catch (error) {
        throw unreadable(`'${entry.fileName}' cannot be unpacked`, error);
    }
    if (checksum !== entry.crc32)
        throw new ZipError(`'${entry.fileName}' is damaged: its checksum differs`);
}
/** What the reader says of an archive as the reason; what the system says of the file stays as it is. */
function unreadable(what, error) {
    if (!(error instanceof Error) || "syscall" in error)
        return error;
    return new ZipError(`${what} (${error.message})`, { cause: error });
}


/***/ })

};
