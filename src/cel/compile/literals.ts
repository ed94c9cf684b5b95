import { inContainer } from '../checker/scope.js';
import type { ListExpr, MapExpr, StructExpr } from '../syntax/ast.js';
import { ArrayList } from '../values/lists.js';
import { isKey, MapBuilder } from '../values/maps.js';
import { Optional } from '../values/optional.js';
import { describe } from '../values/print.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import type { CompileContext } from './compile-context.js';
import { evaluateOperand, type Plan, plan } from './plan.js';
import type { Evaluate } from './program.js';

const notOptional = (what: string, value: Value, node: number): EvaluationError =>
  new EvaluationError(`cannot initialize optional ${what} from non-optional value ${describe(value)}`, node);

export function compileList(compiler: CompileContext, node: ListExpr): Plan {
  const elements = node.elements.map((element) => compiler.compile(element));
  const optional = node.elements.map((_, i) => node.optional.includes(i));
  const cost = compiler.costs.list;
  const literal = listOf(elements, optional, node.id);
  const isFree = compiler.costs.constantsAreFree === true && elements.every((element) => element.constant);
  if (isFree) return compiler.fold(literal, true);
  const run: Evaluate = (frame) => {
    const list = literal(frame);
    frame.cost += cost;
    return list;
  };
  return elements.every((element) => element.known !== undefined) ? compiler.fold(run, false) : plan(run);
}

function listOf(elements: readonly Plan[], optional: readonly boolean[], node: number): Evaluate {
  if (!optional.includes(true)) {
    return (frame) => {
      const values = new Array<Value>(elements.length);
      for (let i = 0; i < elements.length; i++) {
        const value = evaluateOperand(frame, elements[i] as Plan);
        if (value instanceof EvaluationError) return value;
        values[i] = value;
      }
      return new ArrayList(values);
    };
  }
  return (frame) => {
    const values: Value[] = [];
    for (const [i, { run }] of elements.entries()) {
      const value = run(frame);
      if (value instanceof EvaluationError) return value;
      if (optional[i] !== true) values.push(value);
      else if (!(value instanceof Optional)) return notOptional('list element', value, node);
      else if (value.value !== undefined) values.push(value.value);
    }
    return new ArrayList(values);
  };
}

export function compileMap(compiler: CompileContext, node: MapExpr): Plan {
  const entries = node.entries.map((entry) => ({
    key: compiler.compile(entry.key),
    value: compiler.compile(entry.value),
    optional: entry.optional,
    id: entry.id,
  }));
  const repeats = compiler.environment.repeatedKeys;
  const literal: Evaluate = (frame) => {
    const builder = new MapBuilder();
    for (const { key, value, optional, id } of entries) {
      const name = key.run(frame);
      if (name instanceof EvaluationError) return name;
      const member = value.run(frame);
      if (member instanceof EvaluationError) return member;
      const failure = addEntry(builder, name, member, optional, id, repeats);
      if (failure !== undefined) return failure;
    }
    return builder.done();
  };
  const plans = entries.flatMap(({ key, value }) => [key, value]);
  if (compiler.costs.constantsAreFree === true && plans.every((one) => one.constant))
    return compiler.fold(literal, true);
  const cost = compiler.costs.map;
  const run: Evaluate = (frame) => {
    const map = literal(frame);
    frame.cost += cost;
    return map;
  };
  return plans.every((one) => one.known !== undefined) ? compiler.fold(run, false) : plan(run);
}

function addEntry(
  builder: MapBuilder,
  key: Value,
  value: Value,
  optional: boolean,
  node: number,
  repeats: boolean,
): EvaluationError | undefined {
  // The engine of the API server, which keeps the later of repeated keys, also accepts keys of other types, except bytes.
  if (!isKey(key, repeats)) {
    const message = repeats
      ? 'internal error: runtime error: hash of unhashable type types.Bytes'
      : 'unsupported key type';
    return new EvaluationError(message, node);
  }
  let member: Value | undefined = value;
  if (optional) {
    if (!(value instanceof Optional)) return notOptional(`entry '${describe(key)}'`, value, node);
    member = value.value;
  }
  // A later entry replaces an earlier one with the same key, even when its optional value is absent.
  if (repeats) builder.remove(key);
  if (member === undefined) return undefined;
  return builder.add(key, member) ? undefined : new EvaluationError('Failed with repeated key', node);
}

/** Compiles a message literal (`T{field: value}`). Only types that a library declares as constructible (`messages`) are allowed. */
export function compileStruct(compiler: CompileContext, node: StructExpr): Plan {
  const { messages, container } = compiler.environment;
  const message = messages.get(inContainer(container, node.type, (name) => messages.has(name)) ?? '');
  if (message === undefined) {
    const error: Outcome = new EvaluationError(`unknown type: ${node.type}`, node.id);
    return plan(() => error);
  }
  const fields = node.fields.map(({ name, value, optional }) => ({ name, value: compiler.compile(value), optional }));
  const cost = compiler.costs.struct;
  return plan((frame) => {
    const set = new Map<string, Value>();
    for (const { name, value, optional } of fields) {
      const fieldValue = value.run(frame);
      if (fieldValue instanceof EvaluationError) return fieldValue;
      if (!Object.hasOwn(message.fields, name)) return new EvaluationError(`no such field: ${name}`, node.id);
      if (!optional) set.set(name, fieldValue);
      else if (!(fieldValue instanceof Optional)) return notOptional(`entry '${name}'`, fieldValue, node.id);
      else if (fieldValue.value !== undefined) set.set(name, fieldValue.value);
    }
    frame.cost += cost;
    return message.make(set);
  });
}
