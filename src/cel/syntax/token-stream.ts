import type { SourceError } from './source-error.js';
import { CONTINUATION, EXPRESSION_START, formatExpected, type Token, type TokenKind } from './tokens.js';

/** Ends parsing after an error from which it cannot recover. */
export class SyntaxStop extends Error {}

/** The tokens of a source, with a cursor. It reports an unexpected token and recovers from it as upstream's generated parser does. */
export class TokenStream {
  private at = 0;
  /** The token under the cursor. */
  current: Token;
  /** Tokens that may follow the content of the open brackets. */
  readonly closers: TokenKind[] = ['<EOF>'];

  private readonly source: string;
  private readonly tokens: readonly Token[];
  private readonly errors: SourceError[];

  constructor(source: string, tokens: readonly Token[], errors: SourceError[]) {
    this.source = source;
    this.tokens = tokens;
    this.errors = errors;
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
    return token.kind === '<EOF>' ? '<EOF>' : this.source.slice(token.start, token.end);
  }
  next(): Token {
    const token = this.current;
    if (this.at < this.tokens.length - 1) this.current = this.tokens[++this.at] as Token;
    return token;
  }
  accept(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.next() : undefined;
  }

  /**
   * Returns the next token, which must be of this kind. A single extra token is skipped; a missing token is assumed if the current one may
   * follow it.
   */
  expect(kind: TokenKind, mayBeMissing = false): Token {
    if (this.is(kind)) return this.next();
    const wrong = this.current;
    if (this.peek(1).kind === kind && wrong.kind !== '<EOF>') {
      this.extraneous([kind]);
      return this.next();
    }
    if (mayBeMissing && this.mayFollow(wrong.kind)) {
      this.report(wrong, `missing ${formatExpected([kind])} at '${this.text(wrong)}'`);
      return { kind, start: wrong.start, end: wrong.start };
    }
    return this.mismatch([kind]);
  }

  /**
   * Requires an expected token. If only the token after the current one is expected, the current one is skipped; otherwise parsing stops.
   */
  require(expected: ReadonlySet<TokenKind>): void {
    if (expected.has(this.current.kind)) return;
    if (this.current.kind !== '<EOF>' && expected.has(this.peek(1).kind)) this.extraneous(expected);
    else this.mismatch(expected);
  }
  requireExpression(): void {
    this.require(EXPRESSION_START);
  }

  mismatch(expected: Iterable<TokenKind>): never {
    this.report(this.current, `mismatched input '${this.text(this.current)}' expecting ${formatExpected(expected)}`);
    throw new SyntaxStop();
  }
  noAlternative(from: Token): never {
    const end = this.is('<EOF>') ? from.end : this.current.end;
    this.report(this.current, `no viable alternative at input '${this.source.slice(from.start, end)}'`);
    throw new SyntaxStop();
  }
  report(token: Token, message: string): void {
    this.errors.push({ offset: token.start, message: `Syntax error: ${message}` });
  }

  private extraneous(expected: Iterable<TokenKind>): void {
    this.report(this.current, `extraneous input '${this.text(this.current)}' expecting ${formatExpected(expected)}`);
    this.next();
  }
  private mayFollow(kind: TokenKind): boolean {
    return CONTINUATION.has(kind) || this.closers.at(-1) === kind;
  }
}
