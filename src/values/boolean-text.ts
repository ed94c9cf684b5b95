const TEXTS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Parses a string that the API reads as a boolean; returns undefined when it is not a boolean. */
export const readBooleanText = (text: string): boolean | undefined => TEXTS.get(text);

/** Returns the message for a string that is not a boolean. */
export const noBooleanText = (text: string): string =>
  `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
