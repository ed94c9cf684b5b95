import { ErrorStrategy, type Next, next, only, type Skipped, Stopped } from './error-strategy.js';
import type { SourceError } from './source-error.js';
import { EXPRESSION_START, isNumber, type Token, type TokenKind } from './tokens.js';

const RELATIONS: readonly TokenKind[] = ['==', '!=', 'in', '<', '<=', '>=', '>'];
const PRODUCTS: readonly TokenKind[] = ['*', '/', '%'];
const SUMS: readonly TokenKind[] = ['+', '-'];
const LITERALS: readonly TokenKind[] = ['NUM_INT', 'NUM_UINT', 'NUM_FLOAT', 'STRING', 'BYTES', 'true', 'false', 'null'];
const isSigned = (kind: TokenKind): boolean => kind === '!' || kind === '-';
/** Tokens with which an operand begins, without its signs. */
const OPERAND_START: ReadonlySet<TokenKind> = new Set([...EXPRESSION_START].filter((kind) => !isSigned(kind)));

const EXPRESSION = next(EXPRESSION_START);
const OPERAND = next([...OPERAND_START, '-']);
const AFTER_BANG = next([...OPERAND_START, '-', '!']);
const ELEMENT = next([...EXPRESSION_START, '?']);
const MEMBER_OF = next(['?', 'IDENTIFIER']);
const ARGUMENTS = next([...EXPRESSION_START, ')']);
const LIST = next([...EXPRESSION_START, '?', ',', ']']);
const MAP = next([...EXPRESSION_START, '?', ',', '}']);
const FIELDS = next(['?', 'IDENTIFIER', ',', '}']);
const LITERAL = next([...LITERALS, '-']);
const END = next([], true);
const TERNARY = next(['?'], true);
const OR = next(['||'], true);
const AND = next(['&&'], true);
const RELATION = next(RELATIONS, true);
const CALCULATION = next([...PRODUCTS, ...SUMS], true);
const MEMBER = next(['.', '['], true);
const COMMA = next([','], true);
const COLON = only(':');

/** Follows the rules of the grammar and the decisions of upstream's parser. It builds no tree. */
class ErrorFinder extends ErrorStrategy {
  private readonly maxDepth: number;

  constructor(source: string, tokens: readonly Token[], skipped: readonly Skipped[], maxDepth: number) {
    super(source, tokens, skipped);
    this.maxDepth = maxDepth;
  }

  run(): readonly SourceError[] {
    try {
      this.rule(END, this.start);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    return this.errors;
  }

  private start(): void {
    this.rule(only('<EOF>'), this.expression);
    this.match('start', '<EOF>', END);
  }
  private expression(): void {
    if (++this.depth > this.maxDepth) this.stop(`expression recursion limit exceeded: ${this.maxDepth}`);
    this.disjunction(TERNARY);
    if (this.is('?')) {
      this.consume();
      this.disjunction(COLON);
      this.match('expr :', ':', EXPRESSION);
      this.rule(END, this.expression);
    }
    this.depth--;
  }
  private disjunction(follow: Next): void {
    this.enter(follow);
    this.conjunction();
    while (this.accept('||')) this.conjunction();
    this.leave();
  }
  private conjunction(): void {
    this.enter(OR);
    this.relation(0, AND);
    while (this.accept('&&')) this.relation(0, AND);
    this.leave();
  }
  private relation(precedence: number, follow: Next): void {
    this.enter(follow);
    this.calculation(0, RELATION);
    while (precedence <= 1 && RELATIONS.includes(this.kind())) {
      this.consume();
      this.relation(2, RELATION);
    }
    this.leave();
  }
  private calculation(precedence: number, follow: Next): void {
    this.enter(follow);
    this.rule(CALCULATION, this.unary);
    for (;;) {
      const level = PRODUCTS.includes(this.kind()) ? 2 : SUMS.includes(this.kind()) ? 1 : 0;
      if (level === 0 || level < precedence) break;
      this.consume();
      this.calculation(level + 1, CALCULATION);
    }
    this.leave();
  }

  private unary(): void {
    this.sync('unary', EXPRESSION);
    const sign = this.kind();
    if (!isSigned(sign)) {
      if (!OPERAND_START.has(sign)) this.noAlternative();
    } else if (sign === '!') {
      do {
        this.consume();
        this.loopBack('unary !', AFTER_BANG);
      } while (this.is('!'));
    } else if (!isNumber(this.kind(1))) {
      this.negation(1);
      do {
        this.consume();
        this.loopBack('unary -', OPERAND);
      } while (this.negation(0));
    }
    this.rule(END, this.member);
  }
  /** Returns whether the next token is another `-` that is not the sign of a literal. If `signs` is 1, anything else is an error. */
  private negation(signs: number): boolean {
    this.state = 'unary -';
    if (!this.is('-')) {
      if (signs > 0 || !OPERAND_START.has(this.kind())) this.noAlternative();
      return false;
    }
    const after = this.kind(1);
    if (after === '-' || OPERAND_START.has(after)) return true;
    return this.noAlternative(1);
  }

  private member(): void {
    this.rule(MEMBER, this.primary);
    for (;;) {
      if (this.is('[')) this.index();
      else if (this.is('.')) this.select();
      else return;
    }
  }
  private select(): void {
    this.state = 'member';
    if (this.kind(1) !== '?' && this.kind(1) !== 'IDENTIFIER') this.noAlternative(1);
    this.consume();
    if (this.is('?')) {
      this.consume();
      this.match('member name', 'IDENTIFIER', MEMBER);
      return;
    }
    this.consume();
    if (!this.is('(')) return;
    this.consume();
    this.args('member args', MEMBER);
  }
  private index(): void {
    this.consume();
    this.sync('index', ELEMENT);
    if (this.is('?')) this.consume();
    this.rule(only(']'), this.expression);
    this.match('index ]', ']', MEMBER);
  }
  /** Parses the arguments of a call and the closing parenthesis. */
  private args(state: string, after: Next): void {
    this.sync(state, ARGUMENTS);
    if (EXPRESSION_START.has(this.kind())) {
      this.enter(only(')'));
      do this.rule(COMMA, this.expression);
      while (this.accept(','));
      this.leave();
    }
    this.match(`${state} )`, ')', after);
  }

  private primary(): void {
    this.sync('primary', OPERAND);
    switch (this.kind()) {
      case '(':
        this.consume();
        this.rule(only(')'), this.expression);
        this.match('nested )', ')', END);
        break;
      case '[':
        this.consume();
        this.items('list', ']', LIST, ELEMENT.kinds, this.listElement);
        break;
      case '{':
        this.consume();
        this.items('map', '}', MAP, ELEMENT.kinds, this.mapEntry);
        break;
      case '.':
      case 'IDENTIFIER':
        this.name();
        break;
      default:
        if (!LITERAL.kinds.has(this.kind())) this.noAlternative();
        this.rule(END, this.literal);
    }
  }
  private name(): void {
    let ahead = this.is('.') ? 1 : 0;
    if (this.kind(ahead) !== 'IDENTIFIER') this.noAlternative(ahead);
    const isCall = this.kind(ahead + 1) === '(';
    ahead++;
    while (this.kind(ahead) === '.' && this.kind(ahead + 1) === 'IDENTIFIER') ahead += 2;
    const isStruct = !isCall && this.kind(ahead) === '{';
    if (this.is('.')) this.consume();
    this.consume();
    if (isCall) {
      this.consume();
      this.args('call args', END);
    } else if (isStruct) {
      while (!this.is('{')) this.consume();
      this.consume();
      this.items('struct', '}', FIELDS, MEMBER_OF.kinds, this.structField);
    }
  }

  /** Parses the items of a list, map or struct, an optional comma and the closing bracket. */
  private items(
    state: string,
    close: TokenKind,
    start: Next,
    itemStart: ReadonlySet<TokenKind>,
    item: (this: this) => void,
  ): void {
    const rest = next([',', close]);
    this.sync(state, start);
    if (itemStart.has(this.kind())) this.rule(rest, this.itemsWithin, itemStart, item);
    this.sync(`${state} ,`, rest);
    if (this.is(',')) this.consume();
    this.match(`${state} ${close}`, close, END);
  }
  private itemsWithin(itemStart: ReadonlySet<TokenKind>, item: (this: this) => void): void {
    item.call(this);
    while (this.is(',') && itemStart.has(this.kind(1))) {
      this.consume();
      item.call(this);
    }
  }
  private listElement(): void {
    this.rule(COMMA, this.element);
  }
  private mapEntry(): void {
    this.entry('map', this.element);
  }
  private structField(): void {
    this.entry('struct', this.field);
  }
  private entry(state: string, key: (this: this) => void): void {
    this.rule(COLON, key);
    this.match(`${state} :`, ':', EXPRESSION);
    this.rule(COMMA, this.expression);
  }
  private element(): void {
    this.sync('element', ELEMENT);
    if (this.is('?')) this.consume();
    this.rule(END, this.expression);
  }
  private field(): void {
    this.sync('field', MEMBER_OF);
    if (this.is('?')) this.consume();
    this.match('field name', 'IDENTIFIER', END);
  }
  private literal(): void {
    this.sync('literal', LITERAL);
    if (!LITERAL.kinds.has(this.kind())) this.noAlternative();
    if (this.is('-') && !isNumber(this.kind(1))) this.noAlternative(1);
    if (this.is('-')) this.consume();
    this.consume();
  }
}

/** Returns the syntax errors of a source that does not parse, in the words of upstream. */
export const syntaxErrors = (
  source: string,
  tokens: readonly Token[],
  skipped: readonly Skipped[],
  maxDepth: number,
): readonly SourceError[] => new ErrorFinder(source, tokens, skipped, maxDepth).run();
