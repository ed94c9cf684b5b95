import { DecodeError } from '../../json/decode-error.js';
import { parseSigned } from '../../values/integer.js';
import { messageOf } from '../../values/message-of.js';

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
