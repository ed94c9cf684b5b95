import type { FunctionDeclaration } from '../declarations.js';
import type { Environment } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import { INT, type Type, typeOf } from '../typing/type.js';
import type { Message } from '../values/messages.js';
import type { Reference } from './checked.js';

export interface FoundName {
  readonly type: Type;
  readonly reference: Reference;
}

/**
 * Resolves the names in an expression. Iteration variables come first, then the variables, types and constants of the environment, which
 * are looked up in the container and its enclosing packages.
 */
export class Scope {
  private readonly locals = new Map<string, Type[]>();
  private readonly prefixes: readonly string[];
  private readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
    this.prefixes = prefixesOf(environment.container);
  }

  enter(name: string, type: Type): void {
    const types = this.locals.get(name);
    if (types === undefined) this.locals.set(name, [type]);
    else types.push(type);
  }
  leave(name: string): void {
    this.locals.get(name)?.pop();
  }

  find(name: string): FoundName | undefined {
    const bare = name.startsWith('.') ? name.slice(1) : name;
    const local = this.local(bare);
    if (local !== undefined) return { type: local, reference: { kind: 'variable', name: bare } };
    if (bare !== name) return this.global(bare);
    for (const prefix of this.prefixes) {
      const declared = this.global(prefix + name);
      if (declared !== undefined) return declared;
    }
    return undefined;
  }

  /** Returns whether a chain of selections begins with an iteration variable. Such a variable hides all names that begin with its name. */
  beginsWithLocal(chain: Expr): boolean {
    let at = chain;
    while (at.kind === 'select') at = at.operand;
    if (at.kind !== 'ident') return false;
    return this.local(at.name.startsWith('.') ? at.name.slice(1) : at.name) !== undefined;
  }

  findFunction(name: string): FunctionDeclaration | undefined {
    const { functions } = this.environment;
    if (name.startsWith('.')) return functions.get(name.slice(1));
    for (const prefix of this.prefixes) {
      const declared = functions.get(prefix + name);
      if (declared !== undefined) return declared;
    }
    return undefined;
  }

  findMessage(name: string): Message | undefined {
    const { messages, container } = this.environment;
    return messages.get(inContainer(container, name, (each) => messages.has(each)) ?? '');
  }

  private local(name: string): Type | undefined {
    const types = this.locals.get(name);
    return types?.[types.length - 1];
  }
  private global(name: string): FoundName | undefined {
    const { variables, types } = this.environment;
    const type = variables.get(name);
    if (type !== undefined) return { type, reference: { kind: 'variable', name } };
    const named = types.find(name);
    if (named !== undefined) return { type: typeOf(named), reference: { kind: 'type', name } };
    const value = types.constant?.(name);
    return value === undefined ? undefined : { type: INT, reference: { kind: 'constant', value } };
  }
}

/**
 * Resolves a name to the first known qualified name: first in the container, then in each enclosing package. A leading dot skips the
 * container.
 */
export function inContainer(container: string, name: string, isKnown: (name: string) => boolean): string | undefined {
  if (name.startsWith('.')) return isKnown(name.slice(1)) ? name.slice(1) : undefined;
  if (container === '') return isKnown(name) ? name : undefined;
  return prefixesOf(container)
    .map((prefix) => prefix + name)
    .find(isKnown);
}

/** Returns the prefixes of a container: `a.b` gives `a.b.`, `a.` and ''. */
function prefixesOf(container: string): readonly string[] {
  const parts = container === '' ? [] : container.split('.');
  return parts.map((_, i) => `${parts.slice(0, parts.length - i).join('.')}.`).concat('');
}

/** Returns the dotted name `a.b.c` that a chain of selects spells. */
export function qualifiedName(node: Expr): string | undefined {
  const parts: string[] = [];
  let at = node;
  while (at.kind === 'select' && !at.testOnly) {
    parts.push(at.field);
    at = at.operand;
  }
  if (at.kind !== 'ident') return undefined;
  parts.push(at.name);
  return parts.reverse().join('.');
}
