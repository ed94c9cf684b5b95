/** Words that are reserved in CEL or in languages that share its grammar. */
const RESERVED = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    ' ',
  ),
);
/** Returns whether a name is reserved. */
export const isReserved = (name: string): boolean => RESERVED.has(name);

const ESCAPES = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const UNESCAPES = new Map([...ESCAPES].map(([plain, escaped]) => [escaped, plain]));

/** Returns a property's name as expressions write it; undefined for a name that expressions cannot express. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][\w./-]*$/.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (found) => ESCAPES.get(found) ?? found);
}

/** Returns the property that an escaped name denotes; undefined when the name contains no valid escape. */
export function unescapeName(name: string): string | undefined {
  const word = /^__([a-z]+)__$/.exec(name)?.[1];
  if (word !== undefined && RESERVED.has(word)) return word;
  let wrong = false;
  const plain = name.replace(/__.*?__/g, (found) => {
    const unescaped = UNESCAPES.get(found);
    if (unescaped === undefined) wrong = true;
    return unescaped ?? found;
  });
  return wrong ? undefined : plain;
}
