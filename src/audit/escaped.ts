import { stringifyJson } from '../serialization/json/encode.js';

/** What needs no escape in the JSON of the wire: nearly all texts. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** A text as it is written between quotes. */
export const escaped = (text: string): string => (PLAIN.test(text) ? text : stringifyJson(text).slice(1, -1));
