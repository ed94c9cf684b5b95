import type { Ast, Constant } from '../syntax/ast.js';
import type { Type } from '../typing/type.js';

/** The result of checking one AST. Its arrays are indexed by the ids of the syntax-tree nodes. */
export interface Checked {
  readonly ast: Ast;
  /** The type of each node; `types[ast.root.id]` is the type of the whole expression. */
  readonly types: readonly (Type | undefined)[];
  /**
   * The variable, constant, type or overloads that a name or a call refers to. A select expression that spells a qualified name (`a.b`) has
   * a reference, too.
   */
  readonly references: readonly (Reference | undefined)[];
}

/** What a name or a call in an expression refers to. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'constant'; readonly value: Constant }
  | { readonly kind: 'type'; readonly name: string }
  /** The overloads that may apply; more than one when arguments are dyn. */
  | { readonly kind: 'call'; readonly overloads: readonly string[] };
