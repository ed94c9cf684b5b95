import type { Double, Uint } from '../values/numbers.js';

/** The value of a literal. An `int` is a number inside the safe range and a bigint outside it. */
export type Constant = null | boolean | string | number | bigint | Uint | Double | Uint8Array;

interface NodeBase {
  /** A dense number from 1, unique in one Ast. The type, overload and cost of a node are kept in arrays that are indexed by this number. */
  readonly id: number;
  /** The position at which errors of the node are reported: the UTF-16 offset of its operator, `.`, `(`, `[`, `{` or first character. */
  readonly offset: number;
  /** The call as written, if a macro made this node. Only printing uses it; all other code reads the node itself. */
  readonly macro?: CallExpr;
}

/** A literal. */
export interface ConstExpr extends NodeBase {
  readonly kind: 'const';
  readonly value: Constant;
}
/** A name; `.name` (leading dot) keeps its dot and is looked up outside the container. */
export interface IdentExpr extends NodeBase {
  readonly kind: 'ident';
  readonly name: string;
}
/** The selection `operand.field`; `testOnly` is true for `has(operand.field)`. The optional form `a.?f` is a call of `_?._` instead. */
export interface SelectExpr extends NodeBase {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}
/** A call. The use of an operator is a call of the function that `OPERATORS` names. */
export interface CallExpr extends NodeBase {
  readonly kind: 'call';
  readonly function: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
}
/** A list: `[a, b]`. */
export interface ListExpr extends NodeBase {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of the elements written `?e`, ascending. */
  readonly optional: readonly number[];
}
/** An entry of a map; `optional` is true for `?key: value`. */
export interface MapEntry {
  readonly id: number;
  readonly offset: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
/** A map: `{key: value}`. */
export interface MapExpr extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}
/** A field of a constructed object; `optional` is true for `?field: value`. */
export interface StructField {
  readonly id: number;
  readonly offset: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** The construction of an object: `T{field: value}`. */
export interface StructExpr extends NodeBase {
  readonly kind: 'struct';
  readonly type: string;
  readonly fields: readonly StructField[];
}
/** The fold of the CEL specification, to which all iterating macros expand (and `cel.bind`, over an empty list). */
export interface ComprehensionExpr extends NodeBase {
  readonly kind: 'comprehension';
  readonly range: Expr;
  /** The variable for the element of a list or the key of a map; with `variable2`, for the index or key. */
  readonly variable: string;
  /** The variable for the element or value, in two-variable forms. */
  readonly variable2?: string;
  readonly accumulator: string;
  readonly initial: Expr;
  /** The condition that is evaluated before each step. The loop ends when it is false. */
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A node of a syntax tree. */
export type Expr = ConstExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

/** A parsed expression. It is immutable; checker and compiler keep their results separately. */
export interface Ast {
  readonly source: string;
  readonly root: Expr;
  /** One more than the highest node id. */
  readonly nextId: number;
}

/** The names of the functions that operators call. */
export const OPERATORS = {
  conditional: '_?_:_',
  or: '_||_',
  and: '_&&_',
  not: '!_',
  negate: '-_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  in: '@in',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** The name of the accumulator in expanded macros. It cannot occur in a source. */
export const ACCUMULATOR = '@result';

/** Returns the direct children of a node, in evaluation order. */
export function children(node: Expr): readonly Expr[] {
  switch (node.kind) {
    case 'const':
    case 'ident':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return node.fields.map((field) => field.value);
    case 'comprehension':
      return [node.range, node.initial, node.condition, node.step, node.result];
  }
}
