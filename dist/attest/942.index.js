export const id = 942;
export const ids = [942];
export const modules = {

/***/ 1942:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  al: () => (/* binding */ web_createTarPacker)
});

// UNUSED EXPORTS: createTarDecoder, packTar, unpackTar

;// CONCATENATED MODULE: ./node_modules/modern-tar/dist/packer-By1HVV7Z.js
const FILE = "file";
const LINK = "link";
const SYMLINK = "symlink";
const DIRECTORY = "directory";
const TYPEFLAG = {
	file: "0",
	link: "1",
	symlink: "2",
	"character-device": "3",
	"block-device": "4",
	directory: "5",
	fifo: "6",
	"pax-header": "x",
	"pax-global-header": "g",
	"gnu-long-name": "L",
	"gnu-long-link-name": "K"
};
const FLAGTYPE = {
	48: FILE,
	49: LINK,
	50: SYMLINK,
	51: "character-device",
	52: "block-device",
	53: DIRECTORY,
	54: "fifo",
	120: "pax-header",
	103: "pax-global-header",
	76: "gnu-long-name",
	75: "gnu-long-link-name"
};
const ZERO_BLOCK = /* @__PURE__ */ new Uint8Array(512);
const EMPTY = /* @__PURE__ */ new Uint8Array(0);
//#endregion
//#region src/tar/encoding.ts
const encoder = new TextEncoder();
const decoder = new TextDecoder();
function writeString(view, offset, size, value) {
	if (!value) return;
	for (let i = 0; i < value.length && i < size; i++) {
		const charCode = value.charCodeAt(i);
		if (charCode > 127) {
			encoder.encodeInto(value, view.subarray(offset, offset + size));
			return;
		}
		view[offset + i] = charCode;
	}
}
function writeOctal(view, offset, size, value) {
	if (value === void 0) return;
	let remaining = value;
	for (let i = offset + size - 2; i >= offset; i--) {
		view[i] = 48 + remaining % 8;
		remaining = Math.floor(remaining / 8);
	}
	if (remaining === 0 && value % 1 === 0) return;
	encoder.encodeInto(value.toString(8).padStart(size - 1, "0"), view.subarray(offset, offset + size - 1));
}
function readString(view, offset, size) {
	if (view[offset] === 0) return "";
	const end = view.indexOf(0, offset);
	const sliceEnd = end === -1 || end > offset + size ? offset + size : end;
	return decoder.decode(view.subarray(offset, sliceEnd));
}
function readOctal(view, offset, size) {
	let value = 0;
	const end = offset + size;
	for (let i = offset; i < end; i++) {
		const charCode = view[i];
		if (charCode === 0) break;
		if (charCode === 32) continue;
		if (charCode < 48 || charCode > 55) throw new Error("Invalid tar number.");
		value = value * 8 + (charCode - 48);
	}
	return value;
}
function readNumeric(view, offset, size) {
	if (view[offset] & 128) {
		let result = 0;
		result = view[offset] & 127;
		for (let i = 1; i < size; i++) result = result * 256 + view[offset + i];
		if (!Number.isSafeInteger(result)) throw new Error("TAR number too large");
		return result;
	}
	return readOctal(view, offset, size);
}
//#endregion
//#region src/tar/body.ts
const packer_By1HVV7Z_isBodyless = (header) => header.type === "directory" || header.type === "symlink" || header.type === "link" || header.type === "character-device" || header.type === "block-device" || header.type === "fifo";
async function packer_By1HVV7Z_normalizeBody(body) {
	if (body === null || body === void 0) return EMPTY;
	if (body instanceof Uint8Array) return body;
	if (typeof body === "string") return encoder.encode(body);
	if (body instanceof ArrayBuffer) return new Uint8Array(body);
	if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer());
	throw new TypeError("Unsupported content type for entry body.");
}
//#endregion
//#region src/tar/options.ts
const stripPath = (p, n) => {
	const parts = p.split("/").filter(Boolean);
	return n >= parts.length ? "" : parts.slice(n).join("/");
};
function packer_By1HVV7Z_transformHeader(header, options) {
	const { strip, filter, map } = options;
	if (!strip && !filter && !map) return header;
	const h = { ...header };
	if (strip && strip > 0) {
		const newName = stripPath(h.name, strip);
		if (!newName) return null;
		h.name = h.type === "directory" && !newName.endsWith("/") ? `${newName}/` : newName;
		if (h.linkname) {
			const isAbsolute = h.linkname.startsWith("/");
			if (isAbsolute || h.type === "link") {
				const stripped = stripPath(h.linkname, strip);
				h.linkname = isAbsolute ? `/${stripped}` || "/" : stripped;
			}
		}
	}
	if (filter?.(h) === false) return null;
	const result = map ? map(h) : h;
	if (result && (!result.name?.trim() || result.name === "." || result.name === "/")) return null;
	return result;
}
//#endregion
//#region src/tar/chunk-queue.ts
const INITIAL_CAPACITY = 256;
function createChunkQueue() {
	let chunks = new Array(INITIAL_CAPACITY);
	let capacityMask = chunks.length - 1;
	let head = 0;
	let tail = 0;
	let totalAvailable = 0;
	const consumeFromHead = (count) => {
		const chunk = chunks[head];
		if (count === chunk.length) {
			chunks[head] = EMPTY;
			head = head + 1 & capacityMask;
		} else chunks[head] = chunk.subarray(count);
		totalAvailable -= count;
		if (totalAvailable === 0 && chunks.length > INITIAL_CAPACITY) {
			chunks = new Array(INITIAL_CAPACITY);
			capacityMask = 255;
			head = 0;
			tail = 0;
		}
	};
	function pull(bytes, callback) {
		if (callback) {
			let fed = 0;
			let remaining = Math.min(bytes, totalAvailable);
			while (remaining > 0) {
				const chunk = chunks[head];
				const toFeed = Math.min(remaining, chunk.length);
				const segment = toFeed === chunk.length ? chunk : chunk.subarray(0, toFeed);
				consumeFromHead(toFeed);
				remaining -= toFeed;
				fed += toFeed;
				if (!callback(segment)) break;
			}
			return fed;
		}
		if (totalAvailable < bytes) return null;
		if (bytes === 0) return EMPTY;
		const firstChunk = chunks[head];
		if (firstChunk.length >= bytes) {
			const view = firstChunk.length === bytes ? firstChunk : firstChunk.subarray(0, bytes);
			consumeFromHead(bytes);
			return view;
		}
		const result = new Uint8Array(bytes);
		let copied = 0;
		let remaining = bytes;
		while (remaining > 0) {
			const chunk = chunks[head];
			const toCopy = Math.min(remaining, chunk.length);
			result.set(toCopy === chunk.length ? chunk : chunk.subarray(0, toCopy), copied);
			copied += toCopy;
			remaining -= toCopy;
			consumeFromHead(toCopy);
		}
		return result;
	}
	return {
push: (chunk) => {
			if (chunk.length === 0) return;
			let nextTail = tail + 1 & capacityMask;
			if (nextTail === head) {
				const oldLen = chunks.length;
				const newLen = oldLen * 2;
				const newChunks = new Array(newLen);
				const count = tail - head + oldLen & oldLen - 1;
				if (head < tail) for (let i = 0; i < count; i++) newChunks[i] = chunks[head + i];
				else {
					const firstPart = oldLen - head;
					for (let i = 0; i < firstPart; i++) newChunks[i] = chunks[head + i];
					for (let i = 0; i < tail; i++) newChunks[firstPart + i] = chunks[i];
				}
				chunks = newChunks;
				capacityMask = newLen - 1;
				head = 0;
				tail = count;
				nextTail = tail + 1 & capacityMask;
			}
			chunks[tail] = chunk;
			tail = nextTail;
			totalAvailable += chunk.length;
		},
available: () => totalAvailable,
peek: (bytes) => {
			if (totalAvailable < bytes) return null;
			if (bytes === 0) return EMPTY;
			const firstChunk = chunks[head];
			if (firstChunk.length >= bytes) return firstChunk.length === bytes ? firstChunk : firstChunk.subarray(0, bytes);
			const result = new Uint8Array(bytes);
			let copied = 0;
			let index = head;
			while (copied < bytes) {
				const chunk = chunks[index];
				const toCopy = Math.min(bytes - copied, chunk.length);
				if (toCopy === chunk.length) result.set(chunk, copied);
				else result.set(chunk.subarray(0, toCopy), copied);
				copied += toCopy;
				index = index + 1 & capacityMask;
			}
			return result;
		},
discard: (bytes) => {
			if (bytes > totalAvailable) throw new Error("Too many bytes consumed");
			if (bytes === 0) return;
			let remaining = bytes;
			while (remaining > 0) {
				const chunk = chunks[head];
				const toConsume = Math.min(remaining, chunk.length);
				consumeFromHead(toConsume);
				remaining -= toConsume;
			}
		},
		pull
	};
}
//#endregion
//#region src/tar/checksum.ts
const CHECKSUM_SPACE = 32;
const ASCII_ZERO = 48;
function validateChecksum(block) {
	const stored = readOctal(block, 148, 8);
	let sum = 0;
	for (let i = 0; i < block.length; i++) if (i >= 148 && i < 156) sum += CHECKSUM_SPACE;
	else sum += block[i];
	return stored === sum;
}
function writeChecksum(block) {
	block.fill(CHECKSUM_SPACE, 148, 156);
	let checksum = 0;
	for (let i = block.length; i > 0;) checksum += block[--i];
	for (let i = 153; i >= 148; i--) {
		block[i] = (checksum & 7) + ASCII_ZERO;
		checksum >>= 3;
	}
	block[154] = 0;
	block[155] = CHECKSUM_SPACE;
}
//#endregion
//#region src/tar/pax.ts
const USTAR_SPLIT_MAX_SIZE = 256;
const NON_ASCII = /[^\x00-\x7f]/;
function isUtf8TooLong(value, limit) {
	if (value.length * 3 <= limit) return false;
	if (value.length > limit) return true;
	if (!NON_ASCII.test(value)) return false;
	return encoder.encode(value).length > limit;
}
function generatePax(header) {
	const paxRecords = {};
	if (isUtf8TooLong(header.name, 100)) {
		if (findUstarSplit(header.name) === null) paxRecords.path = header.name;
	}
	if (header.linkname && isUtf8TooLong(header.linkname, 100)) paxRecords.linkpath = header.linkname;
	if (header.uname && isUtf8TooLong(header.uname, 32)) paxRecords.uname = header.uname;
	if (header.gname && isUtf8TooLong(header.gname, 32)) paxRecords.gname = header.gname;
	if (header.uid != null && header.uid > 2097151) paxRecords.uid = String(header.uid);
	if (header.gid != null && header.gid > 2097151) paxRecords.gid = String(header.gid);
	if (header.pax) Object.assign(paxRecords, header.pax);
	if (header.size > 8589934591 || "size" in paxRecords) paxRecords.size = String(header.size);
	const paxEntries = Object.entries(paxRecords);
	if (paxEntries.length === 0) return null;
	const paxBody = encoder.encode(paxEntries.map(([key, value]) => {
		const record = `${key}=${value}\n`;
		const partLength = encoder.encode(record).length + 1;
		let totalLength = partLength + String(partLength).length;
		totalLength = partLength + String(totalLength).length;
		return `${totalLength} ${record}`;
	}).join(""));
	return {
		paxHeader: createTarHeader({
			name: decoder.decode(encoder.encode(`PaxHeader/${header.name}`).slice(0, 100)),
			size: paxBody.length,
			type: "pax-header",
			mode: 420,
			mtime: header.mtime,
			uname: header.uname,
			gname: header.gname,
			uid: header.uid,
			gid: header.gid
		}),
		paxBody
	};
}
function findUstarSplit(path) {
	if (!isUtf8TooLong(path, 100) || isUtf8TooLong(path, USTAR_SPLIT_MAX_SIZE)) return null;
	for (let i = path.length - 1; i > 0; i--) {
		if (path[i] !== "/") continue;
		const prefix = path.slice(0, i);
		const name = path.slice(i + 1);
		if (!isUtf8TooLong(prefix, 155) && !isUtf8TooLong(name, 100)) return {
			prefix,
			name
		};
	}
	return null;
}
//#endregion
//#region src/tar/header.ts
function createTarHeader(header) {
	const view = /* @__PURE__ */ new Uint8Array(512);
	const size = packer_By1HVV7Z_isBodyless(header) ? 0 : header.size ?? 0;
	let name = header.name;
	let prefix = "";
	if (!header.pax?.path) {
		const split = findUstarSplit(name);
		if (split) {
			name = split.name;
			prefix = split.prefix;
		}
	}
	writeString(view, 0, 100, name);
	writeOctal(view, 100, 8, header.mode ?? (header.type === "directory" ? 493 : 420));
	writeOctal(view, 108, 8, header.uid ?? 0);
	writeOctal(view, 116, 8, header.gid ?? 0);
	writeOctal(view, 124, 12, size);
	writeOctal(view, 136, 12, Math.floor((header.mtime?.getTime() ?? Date.now()) / 1e3));
	writeString(view, 156, 1, TYPEFLAG[header.type ?? "file"]);
	writeString(view, 157, 100, header.linkname);
	writeString(view, 257, 6, "ustar\0");
	writeString(view, 263, 2, "00");
	writeString(view, 265, 32, header.uname);
	writeString(view, 297, 32, header.gname);
	writeString(view, 345, 155, prefix);
	writeChecksum(view);
	return view;
}
function parseUstarHeader(block, strict) {
	if (strict && !validateChecksum(block)) throw new Error("Invalid tar header checksum.");
	const header = {
		name: readString(block, 0, 100),
		mode: readOctal(block, 100, 8),
		uid: readNumeric(block, 108, 8),
		gid: readNumeric(block, 116, 8),
		size: readNumeric(block, 124, 12),
		mtime: /* @__PURE__ */ new Date(readNumeric(block, 136, 12) * 1e3),
		type: FLAGTYPE[block[156]] || "file",
		linkname: readString(block, 157, 100)
	};
	const magic = readString(block, 257, 6);
	if (magic.trim() === "ustar") {
		header.uname = readString(block, 265, 32);
		header.gname = readString(block, 297, 32);
	}
	if (magic === "ustar") header.prefix = readString(block, 345, 155);
	return header;
}
const PAX_MAPPING = {
	path: ["name", (v) => v],
	linkpath: ["linkname", (v) => v],
	size: ["size", (v) => /^\d+$/.test(v) && Number.isSafeInteger(+v) ? +v : NaN],
	mtime: ["mtime", parseFloat],
	uid: ["uid", (v) => parseInt(v, 10)],
	gid: ["gid", (v) => parseInt(v, 10)],
	uname: ["uname", (v) => v],
	gname: ["gname", (v) => v]
};
function parsePax(buffer) {
	const overrides = Object.create(null);
	const pax = Object.create(null);
	let isPax = false;
	let offset = 0;
	while (offset < buffer.length) {
		const spaceIndex = buffer.indexOf(32, offset);
		if (spaceIndex === -1) break;
		const length = parseInt(decoder.decode(buffer.subarray(offset, spaceIndex)), 10);
		if (!(length > 0)) break;
		const recordEnd = offset + length;
		const recordStr = decoder.decode(buffer.subarray(spaceIndex + 1, recordEnd - 1));
		const equalsIndex = recordStr.indexOf("=");
		if (equalsIndex > 0) {
			const key = recordStr.slice(0, equalsIndex);
			const value = recordStr.slice(equalsIndex + 1);
			pax[key] = value;
			isPax = true;
			if (Object.hasOwn(PAX_MAPPING, key)) {
				const [targetKey, parser] = PAX_MAPPING[key];
				const parsedValue = parser(value);
				if (typeof parsedValue === "string" || !Number.isNaN(parsedValue)) overrides[targetKey] = parsedValue;
			}
		}
		offset = recordEnd;
	}
	if (isPax) overrides.pax = pax;
	return overrides;
}
function applyOverrides(header, overrides) {
	if (overrides.name !== void 0) header.name = overrides.name;
	if (overrides.linkname !== void 0) header.linkname = overrides.linkname;
	if (overrides.size !== void 0) header.size = overrides.size;
	if (overrides.mtime !== void 0) header.mtime = /* @__PURE__ */ new Date(overrides.mtime * 1e3);
	if (overrides.uid !== void 0) header.uid = overrides.uid;
	if (overrides.gid !== void 0) header.gid = overrides.gid;
	if (overrides.uname !== void 0) header.uname = overrides.uname;
	if (overrides.gname !== void 0) header.gname = overrides.gname;
	if (overrides.pax) header.pax = Object.assign({}, header.pax ?? {}, overrides.pax);
}
function getMetaParser(type) {
	switch (type) {
		case "pax-global-header":
		case "pax-header": return parsePax;
		case "gnu-long-name": return (data) => ({ name: readString(data, 0, data.length) });
		case "gnu-long-link-name": return (data) => ({ linkname: readString(data, 0, data.length) });
		default: return;
	}
}
function getHeaderBlocks(header) {
	const base = createTarHeader(header);
	const pax = generatePax(header);
	if (!pax) return [base];
	const paxPadding = -pax.paxBody.length & 511;
	const paddingBlocks = paxPadding > 0 ? [ZERO_BLOCK.subarray(0, paxPadding)] : [];
	return [
		pax.paxHeader,
		pax.paxBody,
		...paddingBlocks,
		base
	];
}
//#endregion
//#region src/tar/unpacker.ts
const STATE_HEADER = 0;
const STATE_BODY = 1;
const MAX_META_SIZE = 8388608;
const MAX_GLOBAL_PAX_KEYS = 512;
const truncateErr = /* @__PURE__ */ new Error("Tar archive is truncated.");
function packer_By1HVV7Z_createUnpacker(options = {}) {
	const strict = options.strict ?? false;
	const { available, peek, push, discard, pull } = createChunkQueue();
	let state = STATE_HEADER;
	let ended = false;
	let done = false;
	let eof = false;
	let currentEntry = null;
	const paxGlobals = {};
	let nextEntryOverrides = {};
	const unpacker = {
		isEntryActive: () => state === STATE_BODY,
isBodyComplete: () => !currentEntry || currentEntry.remaining === 0,
canFinish: () => !currentEntry || available() >= currentEntry.remaining + currentEntry.padding,
		bodyBytes: () => currentEntry && currentEntry.remaining > 0 ? Math.min(currentEntry.remaining, available()) : 0,
available,
write(chunk) {
			if (ended) throw new Error("Archive already ended.");
			if (eof) {
				if (strict) checkPadding(chunk);
				return;
			}
			push(chunk);
		},
end() {
			ended = true;
		},
readHeader() {
			if (state !== STATE_HEADER) throw new Error("Cannot read header while an entry is active");
			if (done) return void 0;
			while (!done) {
				if (available() < 512) {
					if (ended) {
						if (available() > 0 && strict) throw truncateErr;
						done = true;
						return;
					}
					return null;
				}
				const headerBlock = peek(512);
				if (isZeroBlock(headerBlock)) {
					if (available() < 1024) {
						if (ended) {
							if (strict) throw truncateErr;
							done = true;
							return;
						}
						return null;
					}
					if (isZeroBlock(peek(1024).subarray(512))) {
						discard(1024);
						done = true;
						eof = true;
						if (strict) pull(available(), checkPadding);
						else discard(available());
						return;
					}
					if (strict) throw new Error("Invalid tar header.");
					discard(512);
					continue;
				}
				let internalHeader;
				try {
					internalHeader = parseUstarHeader(headerBlock, strict);
				} catch (err) {
					if (strict) throw err;
					discard(512);
					continue;
				}
				const metaParser = getMetaParser(internalHeader.type);
				if (metaParser) {
					if (internalHeader.size > MAX_META_SIZE) throw new Error("Tar metadata entry exceeds maximum size.");
					const paddedSize = internalHeader.size + (-internalHeader.size & 511);
					if (available() < 512 + paddedSize) {
						if (ended && strict) throw truncateErr;
						return null;
					}
					discard(512);
					const overrides = metaParser(pull(paddedSize).subarray(0, internalHeader.size));
					if (nextEntryOverrides.pax) nextEntryOverrides = {};
					const target = internalHeader.type === "pax-global-header" ? paxGlobals : nextEntryOverrides;
					if (target === paxGlobals && overrides.pax && Object.keys(overrides.pax).length > MAX_GLOBAL_PAX_KEYS) throw new Error("Too many global attributes.");
					for (const key in overrides) target[key] = overrides[key];
					continue;
				}
				discard(512);
				const header = internalHeader;
				if (internalHeader.prefix) header.name = `${internalHeader.prefix}/${header.name}`;
				applyOverrides(header, paxGlobals);
				applyOverrides(header, nextEntryOverrides);
				let archiveSize = header.size;
				if (packer_By1HVV7Z_isBodyless(header)) {
					archiveSize = 0;
					header.size = 0;
				} else if (header.name.endsWith("/") && header.type === "file") {
					header.type = DIRECTORY;
					header.size = 0;
				}
				nextEntryOverrides = {};
				currentEntry = {
					header,
					remaining: archiveSize,
					padding: -archiveSize & 511
				};
				state = STATE_BODY;
				return header;
			}
		},
streamBody(callback) {
			if (state !== STATE_BODY || !currentEntry || currentEntry.remaining === 0) return 0;
			const bytesToFeed = Math.min(currentEntry.remaining, available());
			if (bytesToFeed === 0) return 0;
			const fed = pull(bytesToFeed, callback);
			currentEntry.remaining -= fed;
			return fed;
		},
skipPadding() {
			if (state !== STATE_BODY || !currentEntry) return true;
			if (currentEntry.remaining > 0) throw new Error("Body not fully consumed");
			if (available() < currentEntry.padding) return false;
			discard(currentEntry.padding);
			currentEntry = null;
			state = STATE_HEADER;
			return true;
		},
skipEntry() {
			if (state !== STATE_BODY || !currentEntry) return true;
			const toDiscard = Math.min(currentEntry.remaining, available());
			if (toDiscard > 0) {
				discard(toDiscard);
				currentEntry.remaining -= toDiscard;
			}
			if (currentEntry.remaining > 0) return false;
			return unpacker.skipPadding();
		},
finish() {
			if (strict && !eof) throw truncateErr;
		}
	};
	return unpacker;
}
function isZeroBlock(block) {
	if (block.length === 0) return true;
	if (block[0] !== 0) return false;
	if (block.byteOffset % 8 === 0 && block.length % 8 === 0) {
		const view = new BigUint64Array(block.buffer, block.byteOffset, block.length / 8);
		for (let i = 0; i < view.length; i++) if (view[i] !== 0n) return false;
		return true;
	}
	for (let i = 0; i < block.length; i++) if (block[i] !== 0) return false;
	return true;
}
function checkPadding(chunk) {
	if (!isZeroBlock(chunk)) throw new Error("Invalid EOF.");
	return true;
}
//#endregion
//#region src/tar/packer.ts
const EOF_BUFFER = /* @__PURE__ */ new Uint8Array(1024);
function createTarPacker(onData) {
	let currentHeader = null;
	let bytesWritten = 0;
	let finalized = false;
	const fail = (message) => {
		throw new Error(message);
	};
	return {
		add(header) {
			if (finalized) fail("No new tar entries after finalize.");
			if (currentHeader !== null) fail("Previous entry must be completed before adding a new one");
			const size = packer_By1HVV7Z_isBodyless(header) ? 0 : header.size;
			if (!Number.isSafeInteger(size) || size < 0) fail("Invalid tar entry size.");
			const headerBlocks = getHeaderBlocks({
				...header,
				size
			});
			for (const block of headerBlocks) onData(block);
			currentHeader = {
				...header,
				size
			};
			bytesWritten = 0;
		},
		write(chunk) {
			if (!currentHeader) fail("No active tar entry.");
			if (finalized) fail("Cannot write data after finalize.");
			const newTotal = bytesWritten + chunk.length;
			if (newTotal > currentHeader.size) fail(`"${currentHeader.name}" exceeds given size of ${currentHeader.size} bytes.`);
			bytesWritten = newTotal;
			onData(chunk);
		},
		endEntry() {
			if (!currentHeader) fail("No active entry to end.");
			if (finalized) fail("Cannot end entry after finalize.");
			if (bytesWritten !== currentHeader.size) fail(`Size mismatch for "${currentHeader.name}".`);
			const paddingSize = -currentHeader.size & 511;
			if (paddingSize > 0) onData(new Uint8Array(paddingSize));
			currentHeader = null;
			bytesWritten = 0;
		},
		finalize() {
			if (finalized) fail("Archive has already been finalized");
			if (currentHeader !== null) fail("Cannot finalize while an entry is still active");
			onData(EOF_BUFFER);
			finalized = true;
		}
	};
}
//#endregion


;// CONCATENATED MODULE: ./node_modules/modern-tar/dist/web/index.js

//#region src/web/pack.ts
function web_createTarPacker() {
	let streamController;
	let packer;
	let bodyController = null;
	let resume = null;
	let drain = null;
	let stopped = false;
	let stopReason;
	const unblock = () => {
		resume?.();
		resume = null;
		drain = null;
	};
	const stop = (reason) => {
		if (stopped) return;
		stopped = true;
		stopReason = reason;
		bodyController?.error(reason);
		bodyController = null;
		streamController.error(reason);
		unblock();
	};
	const abortBody = (reason = AbortSignal.abort().reason) => {
		bodyController = null;
		stop(reason);
	};
	const checkStopped = () => {
		if (stopped) throw stopReason;
	};
	const emit = (operation) => {
		checkStopped();
		try {
			operation();
		} catch (error) {
			stop(error);
			throw error;
		}
		const pending = drain;
		if (!pending) return;
		const signal = bodyController?.signal;
		if (!signal) return;
		if (signal.aborted) abortBody(signal.reason);
		else signal.onabort = () => abortBody(signal.reason);
		return pending.then(checkStopped);
	};
	return {
		readable: new ReadableStream({
			start(controller) {
				streamController = controller;
				packer = createTarPacker((chunk) => {
					const buffer = chunk.buffer;
					controller.enqueue(buffer instanceof ArrayBuffer && !Reflect.get(buffer, "resizable") ? chunk : new Uint8Array(chunk));
					if ((controller.desiredSize ?? 1) <= 0) drain ||= new Promise((resolve) => {
						resume = resolve;
					});
				});
			},
			pull: unblock,
			cancel(reason = AbortSignal.abort().reason) {
				stop(reason);
			}
		}, new ByteLengthQueuingStrategy({ highWaterMark: 8388608 })),
		controller: {
			add(header) {
				try {
					checkStopped();
					if (bodyController) throw new Error("Previous entry must be completed before adding a new one");
					packer.add(header);
				} catch (error) {
					stop(error);
					throw error;
				}
				return new WritableStream({
					start(controller) {
						bodyController = controller;
					},
					write(chunk) {
						return emit(() => {
							if (!ArrayBuffer.isView(chunk) || chunk[Symbol.toStringTag] !== "Uint8Array") throw new TypeError("Expected a Uint8Array body chunk");
							packer.write(chunk);
						});
					},
					close() {
						const result = emit(() => packer.endEntry());
						if (!result) {
							bodyController = null;
							return;
						}
						return result.then(() => {
							bodyController = null;
						});
					},
					abort: abortBody
				});
			},
			finalize() {
				try {
					checkStopped();
					if (bodyController) throw new Error("Cannot finalize while an entry is still active");
					packer.finalize();
					streamController.close();
				} catch (error) {
					stop(error);
					throw error;
				}
			},
			error(err) {
				stop(err);
			}
		}
	};
}
//#endregion
//#region src/web/stream-utils.ts
async function streamToBuffer(stream) {
	const chunks = [];
	const reader = stream.getReader();
	let totalLength = 0;
	try {
		while (true) {
			const { done, value } = await reader.read();
			if (done) break;
			chunks.push(value);
			totalLength += value.length;
		}
		const result = new Uint8Array(totalLength);
		let offset = 0;
		for (const chunk of chunks) {
			result.set(chunk, offset);
			offset += chunk.length;
		}
		return result;
	} finally {
		reader.releaseLock();
	}
}
const drain = (stream) => stream.pipeTo(new WritableStream());
//#endregion
//#region src/web/unpack.ts
const BUFFER_LIMIT = 1048576;
const RESUME_LIMIT = BUFFER_LIMIT / 2;
function createTarDecoder(options = {}) {
	const unpacker = createUnpacker(options);
	const strict = options.strict ?? false;
	let controller = null;
	let bodyController = null;
	let pumping = false;
	let blocked = false;
	let resume = null;
	let abortHooked = false;
	let eofReached = false;
	let sourceEnded = false;
	let closed = false;
	const unblock = () => {
		resume?.();
		resume = null;
	};
	const closeBody = () => {
		try {
			bodyController?.close();
		} catch {}
		bodyController = null;
	};
	const fail = (reason) => {
		if (closed) return;
		closed = true;
		try {
			bodyController?.error(reason);
		} catch {}
		bodyController = null;
		try {
			controller.error(reason);
		} catch {}
		controller = null;
		unblock();
	};
	const finish = () => {
		if (closed) return;
		closed = true;
		closeBody();
		try {
			controller.close();
		} catch {}
		controller = null;
		unblock();
	};
	const truncateOrFinish = () => {
		if (strict) throw new Error("Tar archive is truncated.");
		finish();
	};
	const pump = () => {
		if (pumping || closed || !controller) return;
		blocked = false;
		pumping = true;
		try {
			while (true) {
				if (eofReached) {
					if (sourceEnded) finish();
					break;
				}
				if (unpacker.isEntryActive()) {
					if (sourceEnded && !unpacker.canFinish()) {
						truncateOrFinish();
						break;
					}
					if (bodyController) {
						if ((bodyController.desiredSize ?? 1) <= 0) {
							blocked = true;
							break;
						}
						if (unpacker.streamBody((c) => (bodyController.enqueue(c), (bodyController.desiredSize ?? 1) > 0)) === 0 && !unpacker.isBodyComplete()) {
							if (sourceEnded) truncateOrFinish();
							break;
						}
					} else if (!unpacker.skipEntry()) {
						if (sourceEnded) truncateOrFinish();
						break;
					}
					if (unpacker.isBodyComplete()) {
						closeBody();
						if (!unpacker.skipPadding()) {
							if (sourceEnded) truncateOrFinish();
							break;
						}
					}
				} else {
					if ((controller.desiredSize ?? 0) < 0) {
						blocked = true;
						break;
					}
					const header = unpacker.readHeader();
					if (header === null) {
						if (sourceEnded) finish();
						break;
					}
					if (header === void 0) {
						if (sourceEnded) {
							unpacker.finish();
							finish();
							break;
						}
						eofReached = true;
						break;
					}
					controller.enqueue({
						header,
						body: new ReadableStream({
							start(c) {
								if (header.size === 0) c.close();
								else bodyController = c;
							},
							pull: pump,
							cancel() {
								bodyController = null;
								pump();
							}
						})
					});
				}
			}
		} catch (error) {
			fail(error);
			throw error;
		} finally {
			pumping = false;
		}
		if (resume && (!blocked || unpacker.available() < RESUME_LIMIT)) unblock();
	};
	return {
		readable: new ReadableStream({
			start(c) {
				controller = c;
			},
			pull: pump,
			cancel(reason) {
				unpacker.end();
				if (reason !== void 0) fail(reason);
				else finish();
			}
		}, { highWaterMark: 2 }),
		writable: new WritableStream({
			write(chunk, controller) {
				try {
					unpacker.write(chunk);
					pump();
					if (blocked && unpacker.available() >= BUFFER_LIMIT) {
						if (!abortHooked) {
							controller.signal.onabort = unblock;
							abortHooked = true;
						}
						return new Promise((resolve) => resume = resolve);
					}
				} catch (error) {
					fail(error);
					throw error;
				}
			},
			close() {
				try {
					sourceEnded = true;
					unpacker.end();
					pump();
				} catch (error) {
					fail(error);
					throw error;
				}
			},
			abort(reason) {
				fail(reason);
			}
		})
	};
}
//#endregion
//#region src/web/helpers.ts
async function packTar(entries) {
	const { readable, controller } = web_createTarPacker();
	const archive = streamToBuffer(readable);
	try {
		for (const entry of entries) {
			const entryStream = controller.add(entry.header);
			const body = "body" in entry ? entry.body : entry.data;
			if (!body) {
				await entryStream.close();
				continue;
			}
			if (body instanceof ReadableStream) await body.pipeTo(entryStream);
			else if (body instanceof Blob) await body.stream().pipeTo(entryStream);
			else try {
				const chunk = await normalizeBody(body);
				if (chunk.length > 0) {
					const writer = entryStream.getWriter();
					await writer.write(chunk);
					await writer.close();
				} else await entryStream.close();
			} catch {
				throw new TypeError(`Unsupported content type for entry "${entry.header.name}".`);
			}
		}
		controller.finalize();
	} catch (error) {
		controller.error(error);
	}
	return archive;
}
async function unpackTar(archive, options = {}) {
	if (!(archive instanceof ReadableStream)) return unpackTarBuffer(archive instanceof Uint8Array ? archive : new Uint8Array(archive), options);
	const results = [];
	const reader = archive.pipeThrough(createTarDecoder(options)).getReader();
	try {
		while (true) {
			const { done, value: entry } = await reader.read();
			if (done) break;
			let processedHeader;
			try {
				processedHeader = transformHeader(entry.header, options);
			} catch (error) {
				await entry.body.cancel();
				throw error;
			}
			if (processedHeader === null) {
				await drain(entry.body);
				continue;
			}
			if (isBodyless(processedHeader)) {
				await drain(entry.body);
				results.push({ header: processedHeader });
			} else results.push({
				header: processedHeader,
				data: await streamToBuffer(entry.body)
			});
		}
	} catch (error) {
		await reader.cancel(error).catch(() => {});
		throw error;
	} finally {
		reader.releaseLock();
	}
	return results;
}
function unpackTarBuffer(archive, options) {
	const unpacker = createUnpacker(options);
	const strict = options.strict ?? false;
	const results = [];
	unpacker.write(archive);
	unpacker.end();
	while (true) {
		const header = unpacker.readHeader();
		if (header === void 0) break;
		if (header === null) {
			if (strict) throw new Error("Tar archive is truncated.");
			break;
		}
		const processedHeader = transformHeader(header, options);
		if (processedHeader === null) {
			const skipped = unpacker.skipEntry();
			if (!skipped && strict) throw new Error("Tar archive is truncated.");
			if (!skipped) break;
			continue;
		}
		if (isBodyless(processedHeader)) {
			const skipped = unpacker.skipEntry();
			if (!skipped && strict) throw new Error("Tar archive is truncated.");
			results.push({ header: processedHeader });
			if (!skipped) break;
			continue;
		}
		let size = header.size;
		if (size < 0 || !unpacker.canFinish()) {
			if (strict) throw new Error("Tar archive is truncated.");
			size = unpacker.bodyBytes();
		}
		const data = new Uint8Array(size);
		let offset = 0;
		unpacker.streamBody((chunk) => {
			data.set(chunk, offset);
			offset += chunk.length;
			return true;
		});
		const bodyComplete = unpacker.isBodyComplete();
		let paddingComplete = true;
		if (bodyComplete) {
			paddingComplete = unpacker.skipPadding();
			if (!paddingComplete && strict) throw new Error("Tar archive is truncated.");
		}
		results.push({
			header: processedHeader,
			data
		});
		if (!bodyComplete || !paddingComplete) break;
	}
	unpacker.finish();
	return results;
}
//#endregion



/***/ })

};
