import {
  type CallExpr,
  type ComprehensionExpr,
  type Constant,
  type ConstExpr,
  children,
  type Expr,
  type IdentExpr,
  type ListExpr,
  type MapEntry,
  type MapExpr,
  OPERATORS,
  type SelectExpr,
  type StructExpr,
  type StructField,
} from './ast.js';

/** Creates the nodes of one Ast: it numbers and freezes them and tracks their depth. */
export class NodeBuilder {
  nextId = 1;
  private readonly depths: number[] = [0];

  private readonly limit: number;
  private readonly tooDeep: () => never;

  /** @param tooDeep called when a node is deeper than `limit` levels; it must throw. */
  constructor(limit: number, tooDeep: () => never) {
    this.limit = limit;
    this.tooDeep = tooDeep;
  }

  constant(offset: number, value: Constant): ConstExpr {
    return this.done({ kind: 'const', id: this.nextId++, offset, value }, 1);
  }
  ident(offset: number, name: string): IdentExpr {
    return this.done({ kind: 'ident', id: this.nextId++, offset, name }, 1);
  }
  select(offset: number, operand: Expr, field: string, testOnly = false): SelectExpr {
    return this.finish({ kind: 'select', id: this.nextId++, offset, operand, field, testOnly });
  }
  call(offset: number, name: string, args: readonly Expr[], target?: Expr): CallExpr {
    const id = this.nextId++;
    Object.freeze(args);
    return this.finish(
      target === undefined
        ? { kind: 'call', id, offset, function: name, args }
        : { kind: 'call', id, offset, function: name, args, target },
    );
  }
  list(offset: number, elements: readonly Expr[], optional: readonly number[] = []): ListExpr {
    return this.finish({
      kind: 'list',
      id: this.nextId++,
      offset,
      elements: Object.freeze(elements),
      optional: Object.freeze(optional),
    });
  }
  entry(offset: number, key: Expr, value: Expr, optional: boolean): MapEntry {
    return Object.freeze({ id: this.nextId++, offset, key, value, optional });
  }
  map(offset: number, entries: readonly MapEntry[]): MapExpr {
    return this.finish({ kind: 'map', id: this.nextId++, offset, entries: Object.freeze(entries) });
  }
  field(offset: number, name: string, value: Expr, optional: boolean): StructField {
    return Object.freeze({ id: this.nextId++, offset, name, value, optional });
  }
  struct(offset: number, type: string, fields: readonly StructField[]): StructExpr {
    return this.finish({ kind: 'struct', id: this.nextId++, offset, type, fields: Object.freeze(fields) });
  }
  comprehension(offset: number, parts: Omit<ComprehensionExpr, 'kind' | 'id' | 'offset' | 'macro'>): ComprehensionExpr {
    return this.finish({ kind: 'comprehension', id: this.nextId++, offset, ...parts });
  }

  /** Builds a chain of `&&` or `||` as a balanced tree, whose depth grows with the logarithm of its length. */
  balanced(name: string, terms: readonly Expr[], offsets: readonly number[]): Expr {
    const tree = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? terms[middle] : tree(low, middle - 1);
      const right = middle === high ? terms[middle + 1] : tree(middle + 1, high);
      if (left === undefined || right === undefined)
        throw new RangeError('the numbers of terms and operators do not match');
      return this.call(offsets[middle] ?? -1, name, [left, right]);
    };
    const [only] = terms;
    return terms.length === 1 && only !== undefined ? only : tree(0, offsets.length - 1);
  }

  /**
   * Attaches the original call to the expansion of a macro. For the depth limit, the expansion counts only as deep as the original call.
   */
  expanded(expansion: Expr, call: CallExpr): Expr {
    const node = Object.freeze({ ...expansion, macro: call });
    this.depths[node.id] = this.depths[call.id] ?? 0;
    return node;
  }

  not(offset: number, operand: Expr): CallExpr {
    return this.call(offset, OPERATORS.not, [operand]);
  }

  private finish<T extends Expr>(node: T): T {
    let depth = 0;
    for (const { id } of children(node)) {
      const below = this.depths[id];
      if (below !== undefined && below > depth) depth = below;
    }
    return this.done(node, depth + 1);
  }
  private done<T extends Expr>(node: T, depth: number): T {
    this.depths[node.id] = depth;
    if (depth > this.limit && node.kind !== 'comprehension') this.tooDeep();
    return Object.freeze(node);
  }
}
