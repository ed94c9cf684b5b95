import type { SourceError } from './source-error.js';
import { formatExpected, type Token, type TokenKind } from './tokens.js';

/** A part of a source that belongs to no token. */
export interface Skipped {
  readonly start: number;
  readonly end: number;
}

type Kinds = ReadonlySet<TokenKind>;
/** The tokens that may come next inside a rule of the grammar. `ends` means that the rule may also end. */
export interface Next {
  readonly kinds: Kinds;
  readonly ends: boolean;
}
export const next = (kinds: Iterable<TokenKind>, ends = false): Next => ({ kinds: new Set(kinds), ends });
export const only = (kind: TokenKind): Next => next([kind]);

/** Limits of upstream's parser: how often it recovers from an error, and how many tokens it skips at once. */
const MAX_ATTEMPTS = 30;
const MAX_SKIPPED = 256;

/** A syntax error that ends the current rule of the grammar. */
class Unexpected extends Error {
  readonly token: Token;
  constructor(token: Token, message: string) {
    super(message);
    this.token = token;
  }
}
/** Ends the search for errors. */
export class Stopped extends Error {}

/**
 * Recovers from syntax errors as ANTLR does, which generates upstream's parser: it inserts or deletes a token, or leaves the rule and skips
 * to a token that may follow one of the open rules. Until a token is matched again, no other error is reported.
 */
export abstract class ErrorStrategy {
  private at = 0;
  private isRecovering = false;
  private attempts = 0;
  private lastIndex = -1;
  private readonly lastStates = new Set<string>();
  /** The tokens that may follow each grammar rule that is being parsed. */
  private readonly open: Next[] = [];
  /** The current position in the grammar. A second error at the same token and position skips the token, so that recovery always ends. */
  protected state = '';
  /** The number of open rules that are expressions. */
  protected depth = 0;
  protected readonly errors: SourceError[] = [];

  private readonly source: string;
  private readonly tokens: readonly Token[];
  private readonly skipped: readonly Skipped[];

  constructor(source: string, tokens: readonly Token[], skipped: readonly Skipped[]) {
    this.source = source;
    this.tokens = tokens;
    this.skipped = skipped;
  }

  protected peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)] as Token;
  }
  protected kind(ahead = 0): TokenKind {
    return this.peek(ahead).kind;
  }
  protected is(kind: TokenKind): boolean {
    return this.kind() === kind;
  }
  /** Passes a token that was matched. Errors are reported again from here on. */
  protected consume(): void {
    this.matched();
    this.skip();
  }
  private skip(): void {
    if (this.at < this.tokens.length - 1) this.at++;
  }
  protected accept(kind: TokenKind): boolean {
    if (!this.is(kind)) return false;
    this.consume();
    return true;
  }
  private matched(): void {
    this.isRecovering = false;
    this.lastIndex = -1;
    this.lastStates.clear();
  }

  /** Opens a rule whose body reports all of its errors in rules inside of it. {@link leave} closes the rule. */
  protected enter(follow: Next): void {
    this.open.push(follow);
  }
  protected leave(): void {
    this.open.pop();
  }
  /**
   * Runs the body of a rule. An error ends the rule, and tokens that cannot follow any open rule are skipped. The body is a method instead of a
   * closure, because nested expressions would otherwise exhaust the stack before they reach their depth limit.
   */
  protected rule<Given extends readonly unknown[]>(
    follow: Next,
    body: (this: this, ...given: Given) => void,
    ...given: Given
  ): void {
    const { depth } = this;
    const opened = this.open.push(follow);
    try {
      body.call(this, ...given);
    } catch (error) {
      if (!(error instanceof Unexpected)) throw error;
      this.open.length = opened;
      this.depth = depth;
      this.report(error.token, error.message);
      this.recover();
    }
    this.leave();
  }
  private recover(): void {
    this.countAttempt();
    if (this.lastIndex === this.at && this.lastStates.has(this.state)) this.skip();
    this.lastIndex = this.at;
    this.lastStates.add(this.state);
    this.skipTo(this.following());
  }

  /** Returns the tokens that may follow one of the open rules. */
  private following(): Set<TokenKind> {
    const kinds = new Set<TokenKind>();
    for (const follow of new Set(this.open)) for (const kind of follow.kinds) kinds.add(kind);
    return kinds;
  }
  private expected(own: Next): Set<TokenKind> {
    const kinds = new Set(own.kinds);
    let { ends } = own;
    for (let i = this.open.length - 1; ends && i >= 0; i--) {
      const follow = this.open[i] as Next;
      for (const kind of follow.kinds) kinds.add(kind);
      ends = follow.ends;
    }
    if (ends) kinds.add('<EOF>');
    return kinds;
  }
  private skipTo(kinds: Kinds): void {
    for (let skipped = 0; !this.is('<EOF>') && !kinds.has(this.kind()); skipped++) {
      if (skipped === MAX_SKIPPED) this.stop(`error recovery token lookahead limit exceeded: ${MAX_SKIPPED}`);
      this.skip();
    }
  }

  /** Checks the next token before a decision. One wrong token is deleted if the token after it is expected. */
  protected sync(state: string, own: Next): void {
    this.state = state;
    if (this.isRecovering || own.kinds.has(this.kind())) return;
    if (!this.deleted(own)) this.mismatch(own);
  }
  /** Checks the next token behind an item that may be repeated. Tokens that are not expected are skipped. */
  protected loopBack(state: string, own: Next): void {
    this.state = state;
    if (this.isRecovering || own.kinds.has(this.kind())) return;
    const expected = this.expected(own);
    this.extraneous(expected);
    for (const kind of this.following()) expected.add(kind);
    this.skipTo(expected);
  }
  /** Matches a token, which may be preceded by one wrong token, or be missing if the current token may come after it. */
  protected match(state: string, kind: TokenKind, after: Next): void {
    this.state = state;
    if (this.is(kind)) {
      this.consume();
      return;
    }
    this.countAttempt();
    const own = only(kind);
    if (this.deleted(own)) {
      this.consume();
      return;
    }
    if (!this.expected(after).has(this.kind())) this.mismatch(own);
    this.report(this.peek(), `missing ${formatExpected(own.kinds)} at ${this.shown(this.peek())}`);
  }
  private deleted(own: Next): boolean {
    const expected = this.expected(own);
    if (!expected.has(this.kind(1))) return false;
    this.extraneous(expected);
    this.skip();
    this.matched();
    return true;
  }

  private extraneous(expected: Kinds): void {
    const token = this.peek();
    this.report(token, `extraneous input ${this.shown(token)} expecting ${formatExpected(expected)}`);
  }
  private mismatch(own: Next): never {
    const token = this.peek();
    const expected = formatExpected(this.expected(own));
    throw new Unexpected(token, `mismatched input ${this.shown(token)} expecting ${expected}`);
  }
  /** Fails because no alternative of a rule begins with the tokens up to this one. */
  protected noAlternative(ahead = 0): never {
    const [from, to] = [this.peek(), this.peek(ahead)];
    const text = from.kind === '<EOF>' ? '<EOF>' : this.textBetween(from.start, to.end);
    const message = `no viable alternative at input '${escapeBlank(text)}'`;
    // Upstream rewrites the message about a reserved word after a dot, or after any other single character.
    const word = /^no viable alternative at input '.(true|false|null)'$/u.exec(message)?.[1];
    throw new Unexpected(to, word === undefined ? message : `mismatched input '${word}' expecting IDENTIFIER`);
  }

  private report(token: Token, message: string): void {
    if (this.isRecovering) return;
    this.isRecovering = true;
    this.errors.push({ offset: token.start, message: `Syntax error: ${message}` });
  }
  private countAttempt(): void {
    if (this.attempts++ < MAX_ATTEMPTS) return;
    const message = `Syntax error: error recovery attempt limit exceeded: ${MAX_ATTEMPTS}`;
    this.errors.push({ offset: this.peek().start, message });
    throw new Stopped();
  }
  protected stop(message: string): never {
    this.errors.push({ offset: -1, message });
    throw new Stopped();
  }
  private shown(token: Token): string {
    return token.kind === '<EOF>' ? "'<EOF>'" : `'${escapeBlank(this.source.slice(token.start, token.end))}'`;
  }
  /** Returns a part of the source without the text that belongs to no token. */
  private textBetween(start: number, end: number): string {
    let text = '';
    let from = start;
    for (const gap of this.skipped) {
      if (gap.start < from || gap.end > end) continue;
      text += this.source.slice(from, gap.start);
      from = gap.end;
    }
    return text + this.source.slice(from, end);
  }
}

const escapeBlank = (text: string): string =>
  text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
