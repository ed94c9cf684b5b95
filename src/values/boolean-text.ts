const TEXTS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** What a text means where the API reads booleans from texts; undefined when it is not a boolean. */
export const readBooleanText = (text: string): boolean | undefined => TEXTS.get(text);

/** What is said of a text that is not a boolean. */
export const noBooleanText = (text: string): string =>
  `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
