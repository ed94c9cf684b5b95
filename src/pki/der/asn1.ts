import { AsnConvert } from '@peculiar/asn1-schema';
import { messageOf } from '../../values/message-of.js';
import { DerError, sameBytes } from './reader.js';
import { checkStructure, type ElementBudget } from './structure.js';

/** Content of octet and bit strings is read where it is wanted, not wherever it looks like a structure. */
const OPTIONS = { berOptions: { copyInput: false, parseEmbedded: false } };

/**
 * Reads a structure that must say what it says in the one way DER has: what was read is written again and compared. So
 * nothing is passed over (a field too many, a bit that is not used), and no text or time is read as another.
 * @throws DerError
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
  if (!sameBytes(again, der)) throw new DerError('not distinguished encoding');
  return value;
}

/** The DER of a value. */
export function encode(value: object): Uint8Array {
  return new Uint8Array(AsnConvert.serialize(value));
}
