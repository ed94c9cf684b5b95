import type { Token, TokenKind } from './tokens.js';

/** Ends parsing at a syntax error, which is then found and reported by `syntaxErrors`. */
export class SyntaxStop extends Error {}

/** The tokens of a source, with a cursor. */
export class TokenStream {
  private at = 0;
  /** The token under the cursor. */
  current: Token;

  private readonly source: string;
  private readonly tokens: readonly Token[];

  constructor(source: string, tokens: readonly Token[]) {
    this.source = source;
    this.tokens = tokens;
    this.current = this.peek(0);
  }

  peek(ahead: number): Token {
    const token = this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
    if (token === undefined) throw new RangeError('no tokens');
    return token;
  }
  is(kind: TokenKind): boolean {
    return this.current.kind === kind;
  }
  text(token: Token): string {
    return this.source.slice(token.start, token.end);
  }
  next(): Token {
    const token = this.current;
    if (this.at < this.tokens.length - 1) this.current = this.tokens[++this.at] as Token;
    return token;
  }
  accept(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.next() : undefined;
  }

  /** Returns the next token, which must be of this kind. */
  expect(kind: TokenKind): Token {
    if (!this.is(kind)) throw new SyntaxStop();
    return this.next();
  }
  /** Requires the next token to be of one of these kinds. */
  require(expected: ReadonlySet<TokenKind>): void {
    if (!expected.has(this.current.kind)) throw new SyntaxStop();
  }
}
