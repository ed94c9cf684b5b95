import type { Environment } from '../environment.js';
import {
  type Ast,
  type CallExpr,
  type ComprehensionExpr,
  type Constant,
  type Expr,
  type ListExpr,
  type MapExpr,
  OPERATORS,
  type SelectExpr,
  type StructExpr,
} from '../syntax/ast.js';
import { ExpressionError, type SourceError } from '../syntax/source-error.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  formatCall,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  nameOf,
  optionalOf,
  param,
  STRING,
  type Type,
  UINT,
} from '../typing/type.js';
import { moreGeneral, Substitution, TypeTooComplex } from '../typing/unify.js';
import { Double, Uint } from '../values/numbers.js';
import { withinWork } from '../values/work.js';
import type { Checked, Reference } from './checked.js';
import { hasCheckedLiterals, literalErrors } from './literals.js';
import { resolveOverloads } from './overloads.js';
import { qualifiedName, Scope } from './scope.js';

/**
 * The maximum number of type inference steps, per syntax-tree node of the expression. Without the limit, a short expression with deeply
 * nested types could take very long to check.
 */
const WORK_PER_NODE = 1000;

/**
 * Finds the type of every syntax-tree node and the declaration to which every name and call refers.
 * @throws ExpressionError with all errors.
 * @throws BudgetExceeded when the check of the literals takes too much work.
 */
export function check(environment: Environment, ast: Ast): Checked {
  const checker = new Checker(environment, ast);
  checker.run();
  const { checksLiterals } = checker;
  const errors =
    checker.errors.length > 0 || !checksLiterals
      ? checker.errors
      : withinWork({}, () => literalErrors(environment, ast, checker.types));
  if (errors.length > 0) throw new ExpressionError(ast.source, errors);
  return Object.freeze({ ast, types: checker.types, references: checker.references });
}

class Checker {
  readonly errors: SourceError[] = [];
  readonly types: (Type | undefined)[];
  readonly references: (Reference | undefined)[];
  /**
   * Whether `literalErrors` must run: the expression contains a call whose literal arguments are checked, or a list or map literal that
   * must not mix types.
   */
  checksLiterals = false;

  private readonly environment: Environment;
  private readonly ast: Ast;
  private readonly scope: Scope;
  private readonly known: Substitution;
  private parameters = 0;
  private current: Expr;

  constructor(environment: Environment, ast: Ast) {
    this.environment = environment;
    this.ast = ast;
    this.scope = new Scope(environment);
    this.known = new Substitution(WORK_PER_NODE * (ast.nextId + 10));
    this.types = new Array(ast.nextId).fill(undefined);
    this.references = new Array(ast.nextId).fill(undefined);
    this.current = ast.root;
  }

  run(): void {
    try {
      this.typeOf(this.ast.root);
      const { types, known } = this;
      for (let id = 0; id < types.length; id++) {
        const type = types[id];
        if (type !== undefined) types[id] = known.apply(type, true);
      }
    } catch (error) {
      if (!(error instanceof TypeTooComplex)) throw error;
      this.report(this.current, error.message);
    }
  }

  /** Returns the type of a syntax-tree node. It is cached, because the expansion of a macro can contain one node twice. */
  private typeOf(node: Expr): Type {
    const before = this.types[node.id];
    if (before !== undefined) return before;
    this.current = node;
    const type = this.known.apply(this.find(node));
    this.types[node.id] = type;
    return type;
  }

  private find(node: Expr): Type {
    switch (node.kind) {
      case 'const':
        return constantType(node.value);
      case 'ident':
        return this.name(node, node.name);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'struct':
        return this.struct(node);
      case 'comprehension':
        return this.comprehension(node);
    }
  }

  private name(node: Expr, name: string): Type {
    const declared = this.scope.find(name);
    if (declared === undefined) return this.undeclared(node, name);
    this.references[node.id] = declared.reference;
    return declared.type;
  }

  private select(node: SelectExpr): Type {
    const name = this.scope.beginsWithLocal(node) ? undefined : qualifiedName(node);
    const declared = name === undefined ? undefined : this.scope.find(name);
    if (declared !== undefined) {
      this.references[node.id] = declared.reference;
      return declared.type;
    }
    const type = this.field(node, node.operand, node.field, false);
    return node.testOnly ? BOOL : type;
  }

  private field(node: Expr, operand: Expr, name: string, optional: boolean): Type {
    const type = this.known.apply(this.typeOf(operand));
    const inner = unwrapOptional(type);
    const selected = this.fieldType(node, inner ?? type, name);
    return inner !== undefined || optional ? optionalOf(selected) : selected;
  }

  private fieldType(node: Expr, target: Type, name: string): Type {
    switch (target.kind) {
      case 'map':
        return target.value;
      case 'object':
        return this.member(node.offset, target, name);
      case 'param':
        // The type of the operand is an unbound type parameter. It is bound to dyn, so that no later use of the operand binds it to another
        // type.
        this.known.assign([DYN], [target]);
        return DYN;
      case 'dyn':
      case 'any':
      case 'error':
        return DYN;
      default:
        if (target.kind === 'opaque' && this.environment.types.find(target.name) === undefined) {
          // Upstream declares a type that no library knows as a message, and then fails to look up the fields of the message.
          this.report(node, `unexpected failed resolution of '${formatType(target)}'`);
          return ERROR;
        }
        this.report(node, `type '${formatType(target)}' does not support field selection`);
        return DYN;
    }
  }

  private member(offset: number, target: Type, name: string): Type {
    const type = target.kind === 'object' ? target.fields.get(name)?.type : undefined;
    return this.existing(offset, type, name);
  }

  private existing(offset: number, type: Type | undefined, name: string): Type {
    if (type !== undefined) return type;
    this.errors.push({ offset, message: `undefined field '${name}'` });
    return ERROR;
  }

  private call(node: CallExpr): Type {
    this.checksLiterals ||= hasCheckedLiterals(this.environment, node.function);
    const [operand, field] = node.args;
    if (node.function === OPERATORS.optionalSelect && operand !== undefined && field?.kind === 'const') {
      this.types[field.id] = STRING;
      this.references[node.id] = { kind: 'call', overloads: ['select_optional_field'] };
      return this.field(node, operand, String(field.value), true);
    }
    const args = node.args.map((arg) => this.typeOf(arg));
    if (node.target === undefined) return this.resolve(node, node.function, args, false);
    const prefix = qualifiedName(node.target);
    const namespaced = prefix === undefined ? undefined : `${prefix}.${node.function}`;
    if (namespaced !== undefined && this.scope.findFunction(namespaced) !== undefined) {
      return this.resolve(node, namespaced, args, false);
    }
    return this.resolve(node, node.function, [this.typeOf(node.target), ...args], true);
  }

  private resolve(node: CallExpr, name: string, args: readonly Type[], receiver: boolean): Type {
    this.current = node;
    const declaration = this.scope.findFunction(name);
    if (declaration === undefined) return this.undeclared(node, name);
    if (name === OPERATORS.and || name === OPERATORS.or) return this.logical(node, declaration.overloads[0]?.id, args);
    const resolved = resolveOverloads(declaration, args, receiver, this.known, () => this.fresh());
    if (resolved === undefined) {
      const shown = formatCall(
        args.map((type) => this.known.apply(type, true)),
        receiver,
      );
      this.report(node, `found no matching overload for '${declaration.name}' applied to '${shown}'`);
      return ERROR;
    }
    this.references[node.id] = { kind: 'call', overloads: resolved.overloads };
    return resolved.type;
  }

  private logical(node: CallExpr, overload: string | undefined, args: readonly Type[]): Type {
    let type: Type = BOOL;
    for (const [i, arg] of args.entries()) {
      if (this.known.assign([arg], [BOOL])) continue;
      this.mismatch(node.args[i] ?? node, BOOL, arg);
      type = ERROR;
    }
    if (overload !== undefined) this.references[node.id] = { kind: 'call', overloads: [overload] };
    return type;
  }

  private list(node: ListExpr): Type {
    this.checksLiterals ||= this.environment.homogeneousLiterals;
    const optional = new Set(node.optional);
    let joined: Type | undefined;
    for (const [i, element] of node.elements.entries()) {
      joined = this.join(joined, this.value(element, optional.has(i)));
    }
    return listOf(joined ?? this.fresh());
  }

  private map(node: MapExpr): Type {
    this.checksLiterals ||= this.environment.homogeneousLiterals;
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of node.entries) {
      key = this.join(key, this.typeOf(entry.key));
      value = this.join(value, this.value(entry.value, entry.optional));
    }
    return mapOf(key ?? this.fresh(), value ?? this.fresh());
  }

  /**
   * Returns the type of a list element or of the value of a map entry. For an optional element or entry (`?e`) it returns the type inside
   * the optional.
   */
  private value(node: Expr, optional: boolean): Type {
    const type = this.typeOf(node);
    if (!optional) return type;
    const inner = unwrapOptional(type);
    if (inner === undefined && type.kind !== 'dyn' && type.kind !== 'any') {
      this.mismatch(node, optionalOf(type), type);
    }
    return inner ?? type;
  }

  private join(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type;
    return this.known.assign([before], [type]) ? moreGeneral(before, type) : DYN;
  }

  private struct(node: StructExpr): Type {
    const built = this.scope.findMessage(node.type);
    const type = built?.type ?? this.named(node);
    if (type === undefined) return ERROR;
    for (const field of node.fields) {
      const value = this.value(field.value, field.optional);
      const expectedType =
        built === undefined
          ? this.member(field.offset, type, field.name)
          : this.existing(field.offset, built.fields[field.name], field.name);
      if (this.known.assign([expectedType], [value])) continue;
      const [left, right] = [formatType(expectedType), formatType(this.known.apply(value, true))];
      const message = `expected type of field '${field.name}' is '${left}' but provided type is '${right}'`;
      this.errors.push({ offset: field.offset, message });
    }
    return type;
  }

  /** Returns the type that a struct expression builds; undefined if its name is not declared. */
  private named(node: StructExpr): Type | undefined {
    const name = this.scope.find(node.type);
    if (name === undefined) {
      this.undeclared(node, node.type);
      return undefined;
    }
    this.references[node.id] = name.reference;
    const found = name.type;
    if (found.kind !== 'type' || found.of === undefined) {
      this.report(node, `'${nameOf(found)}' is not a type`);
      return ERROR;
    }
    if (found.of.kind === 'object') return found.of;
    this.report(node, `'${nameOf(found.of)}' is not a message type`);
    return ERROR;
  }

  private comprehension(node: ComprehensionExpr): Type {
    const range = this.known.apply(this.typeOf(node.range));
    const accumulated = this.typeOf(node.initial);
    const [first, second] = this.iterated(node, range);
    this.scope.enter(node.accumulator, accumulated);
    this.scope.enter(node.variable, first);
    if (node.variable2 !== undefined) this.scope.enter(node.variable2, second);
    this.assertType(node.condition, BOOL);
    this.assertType(node.step, accumulated);
    if (node.variable2 !== undefined) this.scope.leave(node.variable2);
    this.scope.leave(node.variable);
    const result = this.typeOf(node.result);
    this.scope.leave(node.accumulator);
    return result;
  }

  /**
   * Returns the types of a comprehension's iteration variables. With two variables, the first is the index of a list element or the key of
   * a map entry.
   */
  private iterated(node: ComprehensionExpr, range: Type): readonly [Type, Type] {
    const two = node.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [INT, range.element] : [range.element, ERROR];
      case 'map':
        return [range.key, range.value];
      case 'param':
      case 'dyn':
      case 'error':
        this.known.assign([DYN], [range]);
        return [DYN, DYN];
      default: {
        const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        this.report(node.range, message);
        return [ERROR, ERROR];
      }
    }
  }

  private assertType(node: Expr, expectedType: Type): void {
    const type = this.typeOf(node);
    if (!this.known.assign([expectedType], [type])) this.mismatch(node, expectedType, type);
  }
  private mismatch(node: Expr, expectedType: Type, found: Type): void {
    this.report(node, `expected type '${formatType(expectedType)}' but found '${formatType(found)}'`);
  }
  private undeclared(node: Expr, name: string): Type {
    this.report(node, `undeclared reference to '${name}' (in container '${this.environment.container}')`);
    return ERROR;
  }
  private report(node: Expr, message: string): void {
    this.errors.push({ offset: node.offset, message });
  }
  private fresh(): Type {
    return param(`_var${this.parameters++}`);
  }
}

const unwrapOptional = (type: Type): Type | undefined =>
  type.kind === 'opaque' && type.name === 'optional_type' ? (type.parameters[0] ?? DYN) : undefined;

function constantType(value: Constant): Type {
  if (value === null) return NULL;
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'string':
      return STRING;
    case 'number':
    case 'bigint':
      return INT;
  }
  if (value instanceof Uint) return UINT;
  return value instanceof Double ? DOUBLE : BYTES;
}
