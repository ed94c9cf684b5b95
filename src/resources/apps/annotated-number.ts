import { DecodeError } from '../../json/decode-error.js';
import { messageOf } from '../../values/message-of.js';
import { parseSigned } from '../../values/numbers.js';

/**
 * Parses the 64-bit number in an annotation that replaces a field of an older API version. Error messages begin with `about`.
 * @throws DecodeError when the annotation is not a 64-bit number.
 */
export function annotatedNumber(text: string, about = ''): bigint {
  try {
    return parseSigned(text);
  } catch (error) {
    throw new DecodeError(about + messageOf(error));
  }
}
