import { crc32, deflateRawSync } from "node:zlib";

/** A ZIP archive of these files, deflated. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const local: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x0800, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const at = Buffer.alloc(14);
    at.writeUInt32LE(offset, 10);
    const entry = [Buffer.from("PK\x03\x04"), shared, Buffer.from(name), packed];
    listed.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), shared, at, Buffer.from(name));
    local.push(...entry);
    offset += entry.reduce((sum, part) => sum + part.length, 0);
  }
  const list = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, list, end]);
}
