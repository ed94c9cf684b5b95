/** Kinds of tokens. Punctuation and keywords are named by their text; all other kinds have the names that upstream's errors show. */
export type TokenKind =
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | '<EOF>';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** The order of tokens in the grammar. Errors list the expected tokens in this order. */
const TOKEN_ORDER: readonly TokenKind[] = [
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  '<EOF>',
];

/** Tokens with which an expression can begin. */
export const EXPRESSION_START: ReadonlySet<TokenKind> = new Set<TokenKind>([
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
]);

/** Identifiers that are reserved for later versions of the language. */
export const RESERVED: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);

/** Returns whether a token is a number that a `-` in front of it may negate; unsigned numbers are not. */
export const isNumber = (kind: TokenKind): boolean => kind === 'NUM_INT' || kind === 'NUM_FLOAT';

/** Formats expected tokens as `{'[', IDENTIFIER}`; a single one has no braces. */
export function formatExpected(kinds: Iterable<TokenKind>): string {
  const set = new Set(kinds);
  const names = TOKEN_ORDER.filter((kind) => set.has(kind)).map((kind) =>
    /^(NUM_|STRING|BYTES|IDENTIFIER|<EOF>)/.test(kind) ? kind : `'${kind}'`,
  );
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}
