const TEXTS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Returns the value of a text that the API reads as a boolean; undefined when it is not a boolean. */
export const readBooleanText = (text: string): boolean | undefined => TEXTS.get(text);

/** Returns the message about a text that is not a boolean. */
export const noBooleanText = (text: string): string =>
  `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
