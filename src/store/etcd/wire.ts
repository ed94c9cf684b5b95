/**
 * Protocol buffers for the few messages that are exchanged with etcd. A message is described by a table of its fields:
 *
 *     const leaseGrant = { ttl: [1, 'number'], id: [2, 'bigint'] } as const satisfies Table;
 *     const bytes = encode(leaseGrant, { ttl: 60 });
 *     const { ttl = 0 } = decode(leaseGrant, bytes);
 *
 * Fields that are absent are left out of the decoded message, and zeros are written like every other value, because etcd distinguishes
 * an absent field from a zero in some messages.
 */
export type Table = { readonly [field: string]: Field };
/** The number of a field and its type, with `'list'` for a repeated field. */
export type Field = readonly [number: number, type: FieldType] | readonly [number: number, type: FieldType, 'list'];
/** Revisions and times fit into a number. Identifiers use all 64 bits, so they are bigints. */
export type FieldType = 'number' | 'bigint' | 'bool' | 'bytes' | 'text' | Table;

type ValueOf<T> = T extends 'number'
  ? number
  : T extends 'bigint'
    ? bigint
    : T extends 'bool'
      ? boolean
      : T extends 'bytes'
        ? Uint8Array
        : T extends 'text'
          ? string
          : T extends Table
            ? Message<T>
            : never;
/** The JavaScript object for a message whose fields are listed in a table. */
export type Message<T extends Table> = {
  readonly [F in keyof T]?:
    | (T[F] extends readonly [number, infer V, 'list'] ? readonly ValueOf<V>[] : ValueOf<T[F][1]>)
    | undefined;
};

/** The error for bytes that are not a valid message. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/**
 * Encodes a message.
 * @param offset the number of bytes to leave free before the message
 */
export function encode<T extends Table>(table: T, message: Message<T>, offset = 0): Uint8Array {
  const parts = partsOf(table, message);
  const bytes = new Uint8Array(offset + sizeOf(parts));
  writeParts(parts, bytes, offset);
  return bytes;
}

/** An encoded field: its tag, and a number, or a length with content. */
interface Part {
  readonly tag: number;
  readonly value: number | bigint;
  readonly content: Uint8Array | Parts | undefined;
}
interface Parts {
  readonly list: readonly Part[];
  readonly size: number;
}

function partsOf(table: Table, message: Message<Table>): Parts {
  const list: Part[] = [];
  let size = 0;
  for (const name in table) {
    const member: unknown = message[name];
    if (member === undefined) continue;
    // `name` comes from iterating over the keys of `table`, so the cast is safe.
    const [number, type, repeated] = table[name] as Field;
    for (const value of repeated ? (member as readonly unknown[]) : [member]) {
      const part = partOf(number, type, value);
      list.push(part);
      const { content } = part;
      size += varintSize(part.tag) + varintSize(part.value);
      if (content !== undefined) size += 'list' in content ? content.size : content.length;
    }
  }
  return { list, size };
}

function partOf(number: number, type: FieldType, value: unknown): Part {
  if (type === 'number' || type === 'bigint' || type === 'bool')
    return { tag: number * 8 + VARINT, value: numeric(value as number | bigint | boolean), content: undefined };
  const content =
    type === 'bytes'
      ? (value as Uint8Array)
      : type === 'text'
        ? utf8.encode(value as string)
        : partsOf(type, value as Message<Table>);
  return { tag: number * 8 + DELIMITED, value: 'list' in content ? content.size : content.length, content };
}

/** Returns the number to encode: 0 or 1 for a boolean, and the two's complement of 64 bits for a negative number. */
function numeric(value: number | bigint | boolean): number | bigint {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value < 0 ? BigInt.asUintN(64, BigInt(value)) : value;
}

const sizeOf = ({ size }: Parts): number => size;

function varintSize(value: number | bigint): number {
  let size = 1;
  if (typeof value === 'bigint') for (let rest = value >> 7n; rest > 0n; rest >>= 7n) size++;
  else for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
}

function writeParts({ list }: Parts, bytes: Uint8Array, start: number): number {
  let at = start;
  for (const { tag, value, content } of list) {
    at = writeVarint(value, bytes, writeVarint(tag, bytes, at));
    if (content === undefined) continue;
    if ('list' in content) {
      at = writeParts(content, bytes, at);
    } else {
      bytes.set(content, at);
      at += content.length;
    }
  }
  return at;
}

function writeVarint(value: number | bigint, bytes: Uint8Array, start: number): number {
  let at = start;
  if (typeof value === 'bigint') {
    let rest = value;
    for (; rest >= 128n; rest >>= 7n) bytes[at++] = Number(rest & 127n) | 128;
    bytes[at++] = Number(rest);
    return at;
  }
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
  bytes[at++] = rest;
  return at;
}

/**
 * Decodes a message. Unknown fields are skipped. Fields of type `bytes` are views into the given bytes.
 * @throws WireError for bytes that are not a valid message.
 */
export function decode<T extends Table>(table: T, bytes: Uint8Array): Message<T> {
  return readMessage(byNumberOf(table), bytes, 0, bytes.length) as Message<T>;
}

interface NamedField {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated: boolean;
}
const byNumber = new WeakMap<Table, ReadonlyMap<number, NamedField>>();

function byNumberOf(table: Table): ReadonlyMap<number, NamedField> {
  let fields = byNumber.get(table);
  if (fields === undefined) {
    fields = new Map(
      Object.entries(table).map(([name, [number, type, repeated]]) => [number, { name, type, repeated: !!repeated }]),
    );
    byNumber.set(table, fields);
  }
  return fields;
}

/** A position in the bytes of a message, and the end of the message. */
interface Cursor {
  at: number;
  readonly end: number;
}

function readMessage(
  fields: ReadonlyMap<number, NamedField>,
  bytes: Uint8Array,
  start: number,
  end: number,
): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const cursor: Cursor = { at: start, end };
  while (cursor.at < end) {
    const tag = Number(readVarint(bytes, cursor));
    const field = fields.get(Math.floor(tag / 8));
    const wireType = tag % 8;
    const known = field !== undefined && wireType === wireTypeOf(field.type) ? field : undefined;
    if (known === undefined) {
      skip(bytes, cursor, wireType);
      continue;
    }
    const value = readValue(known.type, bytes, cursor);
    if (!known.repeated) message[known.name] = value;
    else ((message[known.name] ??= []) as unknown[]).push(value);
  }
  return message;
}

const wireTypeOf = (type: FieldType): number =>
  type === 'number' || type === 'bigint' || type === 'bool' ? VARINT : DELIMITED;

function readValue(type: FieldType, bytes: Uint8Array, cursor: Cursor): unknown {
  const value = readVarint(bytes, cursor);
  if (type === 'bigint') return BigInt.asIntN(64, BigInt(value));
  if (type === 'bool') return value !== 0;
  if (type === 'number') return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : value;
  const start = cursor.at;
  const end = start + Number(value);
  if (end > cursor.end) throw new WireError('a field ends behind its message');
  cursor.at = end;
  if (type === 'bytes') return bytes.subarray(start, end);
  if (type === 'text') return fromUtf8.decode(bytes.subarray(start, end));
  return readMessage(byNumberOf(type), bytes, start, end);
}

/** Reads a varint. The result is a bigint if it has more than 49 bits, because a number could not hold it exactly in every case. */
function readVarint(bytes: Uint8Array, cursor: Cursor): number | bigint {
  let value = 0;
  let factor = 1;
  for (let count = 0; count < 7; count++) {
    const byte = nextByte(bytes, cursor);
    value += (byte & 127) * factor;
    if (byte < 128) return value;
    factor *= 128;
  }
  let large = BigInt(value);
  for (let shift = 49n; shift < 70n; shift += 7n) {
    const byte = nextByte(bytes, cursor);
    large |= BigInt(byte & 127) << shift;
    if (byte < 128) return large;
  }
  throw new WireError('a number has too many bytes');
}

function nextByte(bytes: Uint8Array, cursor: Cursor): number {
  const byte = cursor.at < cursor.end ? bytes[cursor.at] : undefined;
  if (byte === undefined) throw new WireError('a message ends within a number');
  cursor.at++;
  return byte;
}

function skip(bytes: Uint8Array, cursor: Cursor, wireType: number): void {
  if (wireType === VARINT) return void readVarint(bytes, cursor);
  const lengths: Readonly<Record<number, number>> = { [FIXED64]: 8, [FIXED32]: 4 };
  const length = wireType === DELIMITED ? Number(readVarint(bytes, cursor)) : lengths[wireType];
  if (length === undefined) throw new WireError(`there is no wire type ${wireType}`);
  cursor.at += length;
  if (cursor.at > cursor.end) throw new WireError('a field ends behind its message');
}
