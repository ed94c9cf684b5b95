import { DecodeError } from '../../json/decode-error.js';
import { messageOf } from '../../values/message-of.js';
import { parseSigned } from '../../values/numbers/integer.js';

/**
 * The number of 64 bits that an annotation holds for a field of an older version. A message begins with `about`.
 * @throws DecodeError for any other text.
 */
export function annotatedNumber(text: string, about = ''): bigint {
  try {
    return parseSigned(text);
  } catch (error) {
    throw new DecodeError(about + messageOf(error));
  }
}
