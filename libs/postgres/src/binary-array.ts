/** A value is invalid for its type. Contains the SQLSTATE that PostgreSQL would have returned. */
export class InvalidElement extends Error {
  override readonly name = 'InvalidElement';
  readonly code = '22P02';
}

interface Encoding {
  /** The OID in pg_type, which is the same in every PostgreSQL installation. */
  readonly oid: number;
  /** The size of a value in bytes. */
  size(value: unknown): number;
  write(value: unknown, into: Buffer, at: number): void;
}

const invalid = (type: string): InvalidElement => new InvalidElement(`an element is not of type ${type}`);

const toText = (value: unknown): string => {
  if (typeof value !== 'string') throw invalid('text');
  return value;
};

const text = (oid: number): Encoding => ({
  oid,
  size: (value) => Buffer.byteLength(toText(value)),
  write: (value, into, at) => into.write(toText(value), at),
});

/** The offsets of the digit pairs in a UUID's text. */
const uuidPairs = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const uuidDashes = [8, 13, 18, 23] as const;
const dash = '-'.charCodeAt(0);
const notHex = -1;
/** Maps each character code to its value as a hexadecimal digit. */
const hexDigits = new Int8Array(128).fill(notHex);
for (const [digit, character] of [...'0123456789abcdef'].entries()) {
  hexDigits[character.charCodeAt(0)] = digit;
  hexDigits[character.toUpperCase().charCodeAt(0)] = digit;
}
const hexDigitAt = (text: string, place: number): number => hexDigits[text.charCodeAt(place)] ?? notHex;

const uuid: Encoding = {
  oid: 2950,
  size: () => 16,
  write: (value, into, at) => {
    if (typeof value !== 'string' || value.length !== 36) throw invalid('uuid');
    for (const place of uuidDashes) if (value.charCodeAt(place) !== dash) throw invalid('uuid');
    for (let index = 0; index < uuidPairs.length; index += 1) {
      const place = uuidPairs[index] ?? 0;
      const high = hexDigitAt(value, place);
      const low = hexDigitAt(value, place + 1);
      if (high === notHex || low === notHex) throw invalid('uuid');
      into[at + index] = high * 16 + low;
    }
  },
};

/**
 * Encodes JSON given as text or as bytes. Bytes are accepted because encoding text with Cyrillic letters a second
 * time would cost more than everything else here.
 */
const json: Encoding = {
  oid: 114,
  size: (value) => (value instanceof Uint8Array ? value.length : jsonText.size(value)),
  write: (value, into, at) => {
    if (value instanceof Uint8Array) into.set(value, at);
    else jsonText.write(value, into, at);
  },
};
const jsonText = text(0);

const jsonbVersion = 1;
const jsonb: Encoding = {
  oid: 3802,
  size: (value) => 1 + jsonText.size(value),
  write: (value, into, at) => jsonText.write(value, into, into.writeUInt8(jsonbVersion, at)),
};

const integer = (value: unknown, type: string): number => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw invalid(type);
  return value;
};

/** Writes a safe integer as two halves, to avoid allocating a BigInt per value. */
const writeInt64 = (value: number, into: Buffer, at: number): void => {
  const high = Math.floor(value / 2 ** 32);
  into.writeInt32BE(high, at);
  into.writeUInt32BE(value - high * 2 ** 32, at + 4);
};

/** Milliseconds from the Unix epoch to the PostgreSQL epoch (2000-01-01). */
const epochMs = 946_684_800_000;
const dayMs = 86_400_000;
/** The last instant parsed, because the rows of a batch usually share one. */
let parsed = { text: '', ms: Number.NaN };
const sinceEpoch = (value: unknown, type: string): number => {
  if (typeof value !== 'string') throw invalid(type);
  if (value !== parsed.text) parsed = { text: value, ms: Date.parse(value) };
  return integer(parsed.ms - epochMs, type);
};

const encodings = {
  text: text(25),
  json,
  jsonb,
  uuid,
  int: {
    oid: 23,
    size: () => 4,
    write: (value, into, at) => into.writeInt32BE(integer(value, 'int'), at),
  },
  bigint: {
    oid: 20,
    size: () => 8,
    write: (value, into, at) => writeInt64(integer(value, 'bigint'), into, at),
  },
  boolean: {
    oid: 16,
    size: () => 1,
    write: (value, into, at) => into.writeUInt8(value === true ? 1 : 0, at),
  },
  bytea: {
    oid: 17,
    size: (value) => encodeBytes(value).length,
    write: (value, into, at) => into.set(encodeBytes(value), at),
  },
  timestamptz: {
    oid: 1184,
    size: () => 8,
    write: (value, into, at) => {
      const ms = sinceEpoch(value, 'timestamptz');
      if (Number.isSafeInteger(ms * 1000)) writeInt64(ms * 1000, into, at);
      else into.writeBigInt64BE(BigInt(ms) * 1000n, at);
    },
  },
  date: {
    oid: 1082,
    size: () => 4,
    write: (value, into, at) => into.writeInt32BE(Math.floor(sinceEpoch(value, 'date') / dayMs), at),
  },
} as const satisfies Readonly<Record<string, Encoding>>;

const encodeBytes = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw invalid('bytea');
  return value;
};

/**
 * The types that {@link binaryArray} supports. Times are ISO 8601 text with at most milliseconds; JSON is text
 * (or, for json, its bytes).
 */
export type ElementType = keyof typeof encodings;

const headerBytes = 20;
const lengthBytes = 4;
const absent = -1;

/**
 * Encodes a one-dimensional array in PostgreSQL's binary format, for a parameter `$n::type[]`. The driver would
 * send text, with every quote of a JSON document escaped, and the server would parse it character by character.
 * Undefined and null become NULL. Throws {@link InvalidElement}.
 */
export const binaryArray = (type: ElementType, values: readonly unknown[]): Buffer => {
  const { oid, size, write }: Encoding = encodings[type];
  const sizes = values.map((value) => (value === undefined || value === null ? absent : size(value)));
  const bytes = Buffer.allocUnsafe(
    sizes.reduce((sum, length) => sum + lengthBytes + Math.max(length, 0), headerBytes),
  );
  const header = [1, sizes.includes(absent) ? 1 : 0, oid, values.length, 1];
  let at = header.reduce((place, field) => bytes.writeInt32BE(field, place), 0);
  for (const [index, length] of sizes.entries()) {
    at = bytes.writeInt32BE(length, at);
    if (length === absent) continue;
    write(values[index], bytes, at);
    at += length;
  }
  return bytes;
};
