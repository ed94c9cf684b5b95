import { stringifyJson } from '../serialization/json/encode.js';

/** Matches texts that need no escapes in the JSON that Go writes, which are nearly all. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** Returns a text as it is written between quotes in JSON. */
export const escaped = (text: string): string => (PLAIN.test(text) ? text : stringifyJson(text).slice(1, -1));
