import { AsnConvert } from '@peculiar/asn1-schema';
import { messageOf } from '../../values/message-of.js';
import { DerError, readElement, readElements, sameBytes } from './reader.js';
import { checkStructure, type ElementBudget } from './structure.js';
import { boolean, element } from './writer.js';

/**
 * `parseEmbedded: false` keeps the package from parsing every octet or bit string whose content looks like a structure. The content of
 * these strings is parsed only where it is needed.
 */
const OPTIONS = { berOptions: { copyInput: false, parseEmbedded: false } };

/**
 * Reads a structure that must be in DER. The value is encoded again and compared with the input. Input that differs is refused, because it
 * may contain surplus fields or unused bits that the reader ignores, or a string or time that it misreads. Like upstream, it accepts
 * defaults of booleans, which DER leaves out. @throws DerError
 */
export function readExactly<T extends object>(der: Uint8Array, type: new () => T, budget: ElementBudget): T {
  checkStructure(der, budget);
  let value: T;
  let again: Uint8Array;
  try {
    value = AsnConvert.parse(der, type, OPTIONS);
    again = encode(value);
  } catch (error) {
    throw new DerError(messageOf(error));
  }
  if (!sameBytes(again, der) && !sameBytes(again, withoutFalse(der))) throw new DerError('not distinguished encoding');
  return value;
}

const CONSTRUCTED = 0x20;
const FALSE = boolean(false);

/** Returns a structure without its false booleans. False is the default of every boolean in certificates and requests. */
function withoutFalse(der: Uint8Array): Uint8Array {
  const { tag, content } = readElement(der);
  if ((tag & CONSTRUCTED) === 0) return der;
  const parts = readElements(content).filter(({ raw }) => !sameBytes(raw, FALSE));
  return element(tag, ...parts.map(({ raw }) => withoutFalse(raw)));
}

/** Returns the DER of a value. */
export function encode(value: object): Uint8Array {
  return new Uint8Array(AsnConvert.serialize(value));
}
