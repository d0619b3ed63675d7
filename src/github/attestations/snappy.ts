/** The low two bits of an element's first byte. */
const LITERAL = 0;
const COPY_1 = 1;
const COPY_2 = 2;

/**
 * Unpacks one block of raw Snappy, GitHub's format for bundles. Writes no more than the size stated at its start.
 *
 * @see https://github.com/google/snappy/blob/main/format_description.txt
 * @throws RangeError if it is not such a block, or is larger than `maxBytes`
 */
export function unpackSnappy(packed: Uint8Array, maxBytes: number): Uint8Array {
  const input = new Input(packed);
  const unpacked = new Uint8Array(bounded(input.varint(), maxBytes));
  let size = 0;
  while (!input.atEnd) {
    const tag = input.number(1);
    const kind = tag & 3;
    const high = tag >> 2;
    if (kind === LITERAL) {
      // The tag has lengths up to 60. Above, it has the number of bytes of the length that follows.
      const length = (high < 60 ? high : input.number(high - 59)) + 1;
      unpacked.set(input.bytes(length), size);
      size += length;
      continue;
    }
    const length = kind === COPY_1 ? (high & 7) + 4 : high + 1;
    const offset =
      kind === COPY_1 ? ((tag >> 5) << 8) | input.number(1) : input.number(kind === COPY_2 ? 2 : 4);
    if (offset === 0 || offset > size || size + length > unpacked.length) throw damaged();
    // Byte by byte: a copy may overlap its own output.
    for (const end = size + length; size < end; size++) unpacked[size] = unpacked[size - offset] ?? 0;
  }
  if (size !== unpacked.length) throw damaged();
  return unpacked;
}

class Input {
  readonly #packed: Uint8Array;
  #at = 0;

  constructor(packed: Uint8Array) {
    this.#packed = packed;
  }

  get atEnd(): boolean {
    return this.#at === this.#packed.length;
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#packed.length) throw damaged();
    const bytes = this.#packed.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  /** Little-endian number. */
  number(bytes: number): number {
    return this.bytes(bytes).reduceRight((sum, byte) => sum * 256 + byte, 0);
  }

  /** Little-endian number with seven bits a byte. */
  varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = this.number(1);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw damaged();
  }
}

function bounded(size: number, maxBytes: number): number {
  if (size <= maxBytes) return size;
  throw new RangeError(`it would have ${size} bytes; the limit is ${maxBytes}`);
}

function damaged(): RangeError {
  return new RangeError("it is not a Snappy block");
}
