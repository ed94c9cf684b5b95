import { Double, Uint } from '../values/numbers.js';
import { type Ast, type CallExpr, type Constant, type Expr, OPERATORS, type SelectExpr } from './ast.js';

/** Returns a source that parses to the same AST (with the options of the original). Macros are printed as they were written. */
export function print(ast: Ast | Expr): string {
  return printNode('root' in ast ? ast.root : ast);
}

const BINARY: ReadonlyMap<string, { readonly text: string; readonly level: number }> = new Map([
  [OPERATORS.or, { text: '||', level: 2 }],
  [OPERATORS.and, { text: '&&', level: 3 }],
  [OPERATORS.less, { text: '<', level: 4 }],
  [OPERATORS.lessEquals, { text: '<=', level: 4 }],
  [OPERATORS.greater, { text: '>', level: 4 }],
  [OPERATORS.greaterEquals, { text: '>=', level: 4 }],
  [OPERATORS.equals, { text: '==', level: 4 }],
  [OPERATORS.notEquals, { text: '!=', level: 4 }],
  [OPERATORS.in, { text: 'in', level: 4 }],
  [OPERATORS.add, { text: '+', level: 5 }],
  [OPERATORS.subtract, { text: '-', level: 5 }],
  [OPERATORS.multiply, { text: '*', level: 6 }],
  [OPERATORS.divide, { text: '/', level: 6 }],
  [OPERATORS.modulo, { text: '%', level: 6 }],
]);
const CONDITIONAL = 1;
const UNARY = 7;
const MEMBER = 8;

function printNode(node: Expr): string {
  if (node.macro !== undefined) return printCall(node.macro);
  switch (node.kind) {
    case 'const':
      return printConstant(node.value);
    case 'ident':
      return node.name;
    case 'select':
      return printSelect(node);
    case 'call':
      return printCall(node);
    case 'list':
      return `[${node.elements.map((item, i) => (node.optional.includes(i) ? '?' : '') + printNode(item)).join(', ')}]`;
    case 'map': {
      const entries = node.entries.map((e) => `${e.optional ? '?' : ''}${printNode(e.key)}: ${printNode(e.value)}`);
      return `{${entries.join(', ')}}`;
    }
    case 'struct': {
      const fields = node.fields.map((f) => `${f.optional ? '?' : ''}${f.name}: ${printNode(f.value)}`);
      return `${node.type}{${fields.join(', ')}}`;
    }
    case 'comprehension':
      throw new TypeError('a comprehension that no macro made has no source form');
  }
}

function printSelect(node: SelectExpr): string {
  const selected = `${operand(node.operand, MEMBER)}.${node.field}`;
  return node.testOnly ? `has(${selected})` : selected;
}

function printCall(node: CallExpr): string {
  const [first, second, third] = node.args;
  if (node.target !== undefined) {
    return `${operand(node.target, MEMBER)}.${node.function}(${node.args.map(printNode).join(', ')})`;
  }
  const binary = BINARY.get(node.function);
  if (first !== undefined && second !== undefined) {
    if (binary !== undefined) return printBinary(node.function, binary, first, second);
    switch (node.function) {
      case OPERATORS.index:
        return `${operand(first, MEMBER)}[${printNode(second)}]`;
      case OPERATORS.optionalIndex:
        return `${operand(first, MEMBER)}[?${printNode(second)}]`;
      case OPERATORS.optionalSelect:
        return `${operand(first, MEMBER)}.?${second.kind === 'const' ? String(second.value) : printNode(second)}`;
      case OPERATORS.conditional:
        if (third === undefined) break;
        return `${operand(first, CONDITIONAL + 1)} ? ${operand(second, CONDITIONAL + 1)} : ${printNode(third)}`;
    }
  }
  if (first !== undefined && (node.function === OPERATORS.not || node.function === OPERATORS.negate)) {
    return (node.function === OPERATORS.not ? '!' : '-') + printUnarySafe(first);
  }
  return `${node.function}(${node.args.map(printNode).join(', ')})`;
}

/** Prints a binary operator. The parser balances logical chains, so brackets are needed to preserve the shape of the tree. */
function printBinary(name: string, { text, level }: { text: string; level: number }, left: Expr, right: Expr): string {
  const logical = name === OPERATORS.and || name === OPERATORS.or;
  const leftText = logical && isCall(left, name) ? `(${printNode(left)})` : operand(left, level);
  return `${leftText} ${text} ${operand(right, level + 1)}`;
}

const isCall = (node: Expr, name: string): boolean =>
  node.kind === 'call' && node.macro === undefined && node.function === name;

/** Prints the operand of a sign. Brackets keep two signs, or a sign and a number, from being read as one token. */
function printUnarySafe(node: Expr): string {
  const text = operand(node, MEMBER);
  return /^[-\d]/.test(text) ? `(${text})` : text;
}

function operand(node: Expr, level: number): string {
  const text = printNode(node);
  return levelOf(node) < level ? `(${text})` : text;
}

function levelOf(node: Expr): number {
  const shown = node.macro ?? node;
  if (shown.kind !== 'call' || shown.target !== undefined) return MEMBER;
  if (shown.function === OPERATORS.conditional) return CONDITIONAL;
  if (shown.function === OPERATORS.not || shown.function === OPERATORS.negate) return UNARY;
  return BINARY.get(shown.function)?.level ?? MEMBER;
}

/** Prints a literal as source. */
function printConstant(value: Constant): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return printDouble(value.value);
  if (value instanceof Uint8Array) return `b"${Array.from(value, printByte).join('')}"`;
  return String(value);
}

function printDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The escape sequences of characters in a string literal. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** Prints a string in double quotes. */
export function quote(text: string): string {
  return `"${text.replace(/["\\\x00-\x1f\x7f]/g, (c) => ESCAPES[c] ?? `\\x${hex(c.charCodeAt(0))}`)}"`;
}

function printByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return byte >= 32 && byte < 127 ? (ESCAPES[character] ?? character) : `\\x${hex(byte)}`;
}

const hex = (code: number): string => code.toString(16).padStart(2, '0');
