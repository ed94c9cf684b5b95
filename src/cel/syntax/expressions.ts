import { type Expr, type MapEntry, OPERATORS, type StructField } from './ast.js';
import type { NodeBuilder } from './builder.js';
import { readBytes, readDouble, readInt, readString, readUint } from './literals.js';
import { type Macro, type MacroContext, macroKey } from './macros.js';
import type { SourceError } from './source-error.js';
import { SyntaxStop, type TokenStream } from './token-stream.js';
import { EXPRESSION_START, isNumber, RESERVED, type Token, type TokenKind } from './tokens.js';

export interface ParserSettings {
  readonly macros: ReadonlyMap<string, Macro>;
  readonly optionalSyntax: boolean;
  readonly maxDepth: number;
}

/** Left-associative binary operators; those of a higher level bind more tightly. */
const BINARY: Partial<Record<TokenKind, { readonly name: string; readonly level: number }>> = {
  '<': { name: OPERATORS.less, level: 1 },
  '<=': { name: OPERATORS.lessEquals, level: 1 },
  '>': { name: OPERATORS.greater, level: 1 },
  '>=': { name: OPERATORS.greaterEquals, level: 1 },
  '==': { name: OPERATORS.equals, level: 1 },
  '!=': { name: OPERATORS.notEquals, level: 1 },
  in: { name: OPERATORS.in, level: 1 },
  '+': { name: OPERATORS.add, level: 2 },
  '-': { name: OPERATORS.subtract, level: 2 },
  '*': { name: OPERATORS.multiply, level: 3 },
  '/': { name: OPERATORS.divide, level: 3 },
  '%': { name: OPERATORS.modulo, level: 3 },
};
/** Tokens with which an operand can begin after a sign. */
const OPERAND_START = new Set<TokenKind>([...EXPRESSION_START].filter((kind) => kind !== '!'));
const LIST_START = new Set<TokenKind>([...EXPRESSION_START, ']', ',', '?']);
const MAP_START = new Set<TokenKind>([...EXPRESSION_START, '}', ',', '?']);
const FIELD_START = new Set<TokenKind>(['}', ',', '?', 'IDENTIFIER']);
const ARGUMENT_START = new Set<TokenKind>([...EXPRESSION_START, ')']);

class ExpansionFailed extends Error {}

/** A recursive descent parser for the grammar of CEL. */
export class ExpressionParser {
  private depth = 0;

  private readonly tokens: TokenStream;
  private readonly build: NodeBuilder;
  private readonly errors: SourceError[];
  private readonly settings: ParserSettings;

  constructor(tokens: TokenStream, build: NodeBuilder, errors: SourceError[], settings: ParserSettings) {
    this.tokens = tokens;
    this.build = build;
    this.errors = errors;
    this.settings = settings;
  }

  /** Parses `or`, optionally followed by `? or : expression`. */
  expression(): Expr {
    if (++this.depth > this.settings.maxDepth) throw new SyntaxStop();
    let node = this.disjunction();
    const question = this.tokens.accept('?');
    if (question !== undefined) {
      const then = this.disjunction();
      this.tokens.expect(':');
      node = this.build.call(question.start, OPERATORS.conditional, [node, then, this.expression()]);
    }
    this.depth--;
    return node;
  }

  private disjunction(): Expr {
    const first = this.conjunction();
    return this.tokens.is('||') ? this.chain('||', OPERATORS.or, first, () => this.conjunction()) : first;
  }
  private conjunction(): Expr {
    const first = this.binary(1);
    return this.tokens.is('&&') ? this.chain('&&', OPERATORS.and, first, () => this.binary(1)) : first;
  }

  private chain(operator: TokenKind, name: string, first: Expr, operand: () => Expr): Expr {
    const terms = [first];
    const offsets: number[] = [];
    while (this.tokens.is(operator)) {
      offsets.push(this.tokens.next().start);
      terms.push(operand());
    }
    return this.build.balanced(name, terms, offsets);
  }

  /** Parses operands joined by operators of at least this level. */
  private binary(level: number): Expr {
    let node = this.unary();
    for (;;) {
      const operator = BINARY[this.tokens.current.kind];
      if (operator === undefined || operator.level < level) return node;
      const { start } = this.tokens.next();
      node = this.build.call(start, operator.name, [node, this.binary(operator.level + 1)]);
    }
  }

  /** Parses signs. An even number of `!` or `-` has no effect. A single `-` before a number belongs to the literal. */
  private unary(): Expr {
    this.tokens.require(EXPRESSION_START);
    const first = this.tokens.current;
    if (first.kind !== '!' && first.kind !== '-') return this.member();
    if (first.kind === '-' && isNumber(this.tokens.peek(1).kind)) return this.member();
    let count = 0;
    while (this.tokens.accept(first.kind) !== undefined) count++;
    // After the signs, a `-` is allowed only as part of a number.
    this.tokens.require(OPERAND_START);
    if (this.tokens.is('-') && !isNumber(this.tokens.peek(1).kind)) throw new SyntaxStop();
    const operand = this.member();
    if (count % 2 === 0) return operand;
    return this.build.call(first.start, first.kind === '!' ? OPERATORS.not : OPERATORS.negate, [operand]);
  }

  private member(): Expr {
    let node = this.primary();
    for (;;) {
      if (this.tokens.is('.')) node = this.select(node);
      else if (this.tokens.is('[')) node = this.index(node);
      else return node;
    }
  }

  private select(operand: Expr): Expr {
    const dot = this.tokens.next();
    const optional = this.tokens.accept('?') !== undefined;
    if (optional) this.needOptional(dot, '.?');
    const name = this.tokens.text(this.tokens.expect('IDENTIFIER'));
    if (optional) {
      const field = this.build.constant(this.tokens.peek(-1).start, name);
      return this.build.call(dot.start, OPERATORS.optionalSelect, [operand, field]);
    }
    const open = this.tokens.accept('(');
    if (open === undefined) return this.build.select(dot.start, operand, name);
    return this.callOrMacro(open, name, this.args(), operand);
  }

  private index(operand: Expr): Expr {
    const open = this.tokens.next();
    const optional = this.tokens.accept('?') !== undefined;
    if (optional) this.needOptional(open, '[?');
    const key = this.enclosed(']', () => this.expression());
    return this.build.call(open.start, optional ? OPERATORS.optionalIndex : OPERATORS.index, [operand, key]);
  }

  private primary(): Expr {
    const token = this.tokens.current;
    switch (token.kind) {
      case '(':
        this.tokens.next();
        return this.enclosed(')', () => this.expression());
      case '[':
        return this.list();
      case '{':
        return this.map();
      case '.':
      case 'IDENTIFIER':
        return this.name();
      default:
        return this.literal();
    }
  }

  private name(): Expr {
    const start = this.tokens.current;
    const dot = this.tokens.accept('.') === undefined ? '' : '.';
    const token = this.tokens.expect('IDENTIFIER');
    const struct = this.structName(this.tokens.text(token));
    if (struct !== undefined) return this.struct(`${dot}${struct}`);
    const name = this.tokens.text(token);
    if (RESERVED.has(name)) this.errors.push({ offset: start.start, message: `reserved identifier: ${name}` });
    const open = this.tokens.accept('(');
    if (open === undefined) return this.build.ident(token.start, `${dot}${name}`);
    return this.callOrMacro(open, `${dot}${name}`, this.args());
  }

  /** Parses the name `a.b.C` of a struct if `{` follows, and moves the cursor to it. */
  private structName(first: string): string | undefined {
    let ahead = 0;
    while (this.tokens.peek(ahead).kind === '.' && this.tokens.peek(ahead + 1).kind === 'IDENTIFIER') ahead += 2;
    if (this.tokens.peek(ahead).kind !== '{') return undefined;
    let name = first;
    while (this.tokens.accept('.') !== undefined) name += `.${this.tokens.text(this.tokens.next())}`;
    return name;
  }

  private struct(type: string): Expr {
    const open = this.tokens.next();
    const fields = this.enclosed('}', () =>
      this.items('}', FIELD_START, (): StructField => {
        const question = this.tokens.accept('?');
        if (question !== undefined) this.needOptional(question, '?');
        const name = this.tokens.text(this.tokens.expect('IDENTIFIER'));
        const colon = this.tokens.expect(':');
        return this.build.field(colon.start, name, this.expression(), question !== undefined);
      }),
    );
    return this.build.struct(open.start, type, fields);
  }

  private list(): Expr {
    const open = this.tokens.next();
    const optional: number[] = [];
    let index = 0;
    const elements = this.enclosed(']', () =>
      this.items(']', LIST_START, () => {
        const question = this.tokens.accept('?');
        if (question !== undefined) {
          this.needOptional(question, '?');
          optional.push(index);
        }
        index++;
        return this.expression();
      }),
    );
    return this.build.list(open.start, elements, optional);
  }

  private map(): Expr {
    const open = this.tokens.next();
    const entries = this.enclosed('}', () =>
      this.items('}', MAP_START, (): MapEntry => {
        const question = this.tokens.accept('?');
        if (question !== undefined) this.needOptional(question, '?');
        const key = this.expression();
        const colon = this.tokens.expect(':');
        return this.build.entry(colon.start, key, this.expression(), question !== undefined);
      }),
    );
    return this.build.map(open.start, entries);
  }

  /** Parses comma-separated items. A trailing comma is allowed, and so is a single comma without items. */
  private items<T>(close: TokenKind, first: ReadonlySet<TokenKind>, item: () => T): T[] {
    const items: T[] = [];
    this.tokens.require(first);
    if (this.tokens.accept(',') !== undefined) return items;
    while (!this.tokens.is(close)) {
      items.push(item());
      if (this.tokens.accept(',') === undefined) break;
    }
    return items;
  }

  private args(): Expr[] {
    return this.enclosed(')', () => {
      const args: Expr[] = [];
      this.tokens.require(ARGUMENT_START);
      if (this.tokens.is(')')) return args;
      do args.push(this.expression());
      while (this.tokens.accept(',') !== undefined);
      return args;
    });
  }

  private enclosed<T>(close: TokenKind, content: () => T): T {
    const value = content();
    this.tokens.expect(close);
    return value;
  }

  private literal(): Expr {
    const sign = this.tokens.accept('-');
    const token = this.tokens.next();
    const text = this.tokens.text(token);
    const offset = sign?.start ?? token.start;
    const number = (value: ReturnType<typeof readInt> | ReturnType<typeof readUint>, type: string): Expr =>
      value === undefined ? this.errorNode(offset, `invalid ${type} literal`) : this.build.constant(offset, value);
    switch (token.kind) {
      case 'NUM_INT':
        return number(readInt(text, sign !== undefined), 'int');
      case 'NUM_UINT':
        return number(readUint(text), 'uint');
      case 'NUM_FLOAT': {
        const value = readDouble(sign === undefined ? text : `-${text}`);
        return value === undefined
          ? this.errorNode(offset, 'invalid double literal')
          : this.build.constant(offset, value);
      }
      case 'STRING': {
        const read = readString(text);
        return 'error' in read ? this.errorNode(offset, read.error) : this.build.constant(offset, read.text);
      }
      case 'BYTES': {
        const read = readBytes(text);
        return 'error' in read ? this.errorNode(offset, read.error) : this.build.constant(offset, read.bytes);
      }
      default:
        return this.build.constant(offset, token.kind === 'null' ? null : token.kind === 'true');
    }
  }

  private callOrMacro(open: Token, name: string, args: readonly Expr[], target?: Expr): Expr {
    const call = this.build.call(open.start, name, args, target);
    const macro = this.settings.macros.get(macroKey(name, target !== undefined, args.length));
    if (macro === undefined) return call;
    const context: MacroContext = {
      offset: open.start,
      build: this.build,
      fail: (at, message) => {
        this.errors.push({ offset: at.offset, message });
        throw new ExpansionFailed();
      },
    };
    try {
      const expansion = macro.expand(context, target, args);
      return expansion === undefined ? call : this.build.expanded(expansion, call);
    } catch (error) {
      if (error instanceof ExpansionFailed) return call;
      throw error;
    }
  }

  private needOptional(token: Token, form: string): void {
    if (!this.settings.optionalSyntax)
      this.errors.push({ offset: token.start, message: `unsupported syntax '${form}'` });
  }
  /** Reports an error in a literal and returns a placeholder, so that parsing continues. */
  private errorNode(offset: number, message: string): Expr {
    this.errors.push({ offset, message });
    return this.build.constant(offset, null);
  }
}
