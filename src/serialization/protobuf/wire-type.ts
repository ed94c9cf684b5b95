/** The wire types of protocol buffers. */
export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;
