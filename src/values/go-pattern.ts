/**
 * Compiles a pattern as Go's regexp package does, with RE2JS, which differs from it: RE2JS refuses two groups of the same name, knows more
 * names of character classes (`\p{Alphabetic}`, `\p{Lc}`, scripts of newer Unicode), counts unassigned characters to `\pC`, and some of its
 * messages end before the expression.
 * @throws SyntaxError with the message of Go.
 */
export function compileGoPattern<T>(engine: { compile(pattern: string): T }, source: string): T {
  try {
    return engine.compile(rewrite(source, true));
  } catch (error) {
    throw new SyntaxError(goMessage(engine, source, error), { cause: error });
  }
}

/** Returns the message of Go for a pattern that RE2JS refuses. What was rewritten is shown as the caller wrote it. */
function goMessage(engine: { compile(pattern: string): unknown }, source: string, thrown: unknown): string {
  let error = thrown;
  try {
    engine.compile(rewrite(source, false));
  } catch (other) {
    error = other;
  }
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(MARKS, '');
  if (message.endsWith('`')) return message;
  return `${message}: \`${message.endsWith('trailing backslash at end of expression') ? '' : source}\``;
}

/** Matches patterns that may have to be rewritten: those with a Unicode class or a named group. */
const SUSPECT = /\\[pP]|\(\?P?</;

/** Follows the name of a group that occurred before, and the name of a class that Go does not know. */
const MARK = '__not_in_go_';
const MARKS = /__not_in_go_\d*/g;

/** The parts of a pattern outside of classes: quoted text, names of classes, escapes, starts of classes and of named groups. */
const OUTSIDE = /\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*(?:\}|$)|[^{])|\\.|\[\^?\]?|\(\?P?<\w+>|./gsu;

/**
 * The parts of a class: names in braces, classes of Perl, the end, ranges (whose last character may be an opening bracket) and characters.
 * Names in brackets (`[:alpha:]`) are found without this expression, which would look for their ends again and again.
 */
const INSIDE = /\\[pP](?:\{[^}]*(?:\}|$)|[^{])|\\[dDsSwW]|\]|(?:\\.|.)-(?:\\.|[^\]])|\\.|./gsu;

function tokenAt(source: string, at: number, inClass: boolean): string {
  const tokens = inClass ? INSIDE : OUTSIDE;
  tokens.lastIndex = at;
  return tokens.exec(source)?.[0] ?? source.slice(at);
}

const isNamed = (source: string, at: number, lastEnd: number): boolean =>
  source.startsWith('[:', at) && lastEnd >= at + 2;
const namedAt = (source: string, at: number): string => source.slice(at, source.indexOf(':]', at + 2) + 2);

function rewrite(source: string, expand: boolean): string {
  if (!SUSPECT.test(source)) return source;
  const names = new Set<string>();
  let written = '';
  let inClass = false;
  const lastNameEnd = source.lastIndexOf(':]');
  for (let at = 0; at < source.length; ) {
    const token = inClass && isNamed(source, at, lastNameEnd) ? namedAt(source, at) : tokenAt(source, at, inClass);
    at += token.length;
    if (/^\\[pP]./u.test(token)) written += classOf(token, inClass, expand);
    else if (token.startsWith('(?') && token.endsWith('>')) {
      const name = token.slice(token.indexOf('<') + 1, -1);
      written += names.has(name) ? `${token.slice(0, -1)}${MARK}${at}>` : token;
      names.add(name);
    } else {
      written += token;
      if (inClass ? token === ']' : token.startsWith('[')) inClass = !inClass;
    }
  }
  return written;
}

/** `\pC` and `\PC` of Go, where unassigned characters are in no category. */
const OTHERS = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cs}`;
const NOT_OTHERS = String.raw`\pL\pM\pN\pP\pS\pZ\p{Cn}`;

/** Properties, names of several categories, and scripts of Unicode 16 and 17. */
const UNKNOWN_TO_GO = new Set(
  (
    'Cn LC Lc Ascii Assigned Unknown ASCII_Hex_Digit Alphabetic Dash Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base ' +
    'Emoji_Presentation Extended_Pictographic Hex_Digit Lowercase Math Quotation_Mark Terminal_Punctuation Uppercase White_Space ' +
    'Beria_Erfe Garay Gurung_Khema Kirat_Rai Ol_Onal Sidetic Sunuwar Tai_Yo Todhri Tolong_Siki Tulu_Tigalari'
  ).split(' '),
);

function classOf(token: string, inClass: boolean, expand: boolean): string {
  const name = token.slice(2).replaceAll(/[{}]/g, '');
  const plain = name.replace(/^\^/, '');
  if (UNKNOWN_TO_GO.has(plain)) return `${token.slice(0, -1)}${MARK}}`;
  if (plain !== 'C' || !expand) return token;
  const parts = (token[1] === 'P') === (plain === name) ? NOT_OTHERS : OTHERS;
  return inClass ? parts : `[${parts}]`;
}
