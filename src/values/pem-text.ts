/** Returns whether a text contains the beginning of a PEM block. The block is not parsed. */
export const isPemText = (text: string): boolean => text.includes('-----BEGIN ');
