import { DerError, derTag, readElement } from './reader.js';

/** How many elements may still be read. One budget may serve several structures. */
export interface ElementBudget {
  left: number;
}

/** A certificate of a hundred names and twenty extensions has about two hundred; names below extensions do not count. */
export const MAX_ELEMENTS = 1024;
const MAX_DEPTH = 16;
/**
 * Bytes of an integer or an object identifier, whose text grows faster than they do. The longest are parameters of DSA;
 * other keys are in bit strings.
 */
const MAX_NUMBER = 512;

const CONSTRUCTED = 0x20;
const UNIVERSAL = 0xc0;

/**
 * Looks over a structure before packages read it, which costs them a hundred times as much: it must be one element and
 * nothing behind it, in strict DER, not deep, with no more elements than the budget has left. What is in octet and
 * bit strings is not looked at.
 * @throws DerError
 */
export function checkStructure(bytes: Uint8Array, budget: ElementBudget): void {
  if (checkElement(bytes, 0, 1, budget) !== bytes.length) throw new DerError('trailing data');
}

/** Checks the element at an offset; gives its length. */
function checkElement(bytes: Uint8Array, offset: number, depth: number, budget: ElementBudget): number {
  if (depth > MAX_DEPTH) throw new DerError('too deep');
  if (--budget.left < 0) throw new DerError('too many elements');
  const { tag, content, raw } = readElement(bytes, offset);
  if ((tag & UNIVERSAL) === 0) checkUniversal(tag, content);
  if (tag & CONSTRUCTED) for (let at = 0; at < content.length; ) at += checkElement(content, at, depth + 1, budget);
  return raw.length;
}

function checkUniversal(tag: number, content: Uint8Array): void {
  const isList = (tag | CONSTRUCTED) === derTag.sequence || (tag | CONSTRUCTED) === derTag.set;
  if (tag === 0 || isList !== ((tag & CONSTRUCTED) !== 0)) throw new DerError('unsupported tag');
  const [first, second] = content;
  if (tag === derTag.boolean && (content.length !== 1 || (first !== 0 && first !== 0xff)))
    throw new DerError('invalid boolean');
  if (tag === derTag.null && content.length > 0) throw new DerError('invalid null');
  if (tag === derTag.bitString) checkUnusedBits(content);
  if (tag !== derTag.integer && tag !== derTag.oid) return;
  if (first === undefined || content.length > MAX_NUMBER) throw new DerError('invalid number');
  if (
    tag === derTag.integer &&
    second !== undefined &&
    ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  )
    throw new DerError('integer is not in its shortest form');
}

/** The first byte says how many bits of the last are not used; those are zero. */
function checkUnusedBits(content: Uint8Array): void {
  const [unused = 8] = content;
  const last = content.length > 1 ? (content[content.length - 1] ?? 0) : 0xff;
  if (unused > 7 || (unused > 0 && (last & ((1 << unused) - 1)) !== 0)) throw new DerError('invalid bit string');
}
