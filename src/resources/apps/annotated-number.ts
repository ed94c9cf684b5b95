import { DecodeError } from '../../json/decode-error.js';
import { parseSigned } from '../../values/integer.js';
import { messageOf } from '../../values/message-of.js';

/**
 * The number of an annotation that stands for a field of an older version.
 * @param about what a message begins with. Default: nothing.
 * @throws DecodeError for what is not a number of 64 bits.
 */
export function annotatedNumber(text: string, about = ''): bigint {
  try {
    return parseSigned(text);
  } catch (error) {
    throw new DecodeError(about + messageOf(error));
  }
}
