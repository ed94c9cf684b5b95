import { ACCUMULATOR, type ComprehensionExpr, type Expr, OPERATORS } from '../syntax/ast.js';
import { ArrayList, GrowingList } from '../values/lists.js';
import { GrowingMap } from '../values/maps.js';
import { typeName } from '../values/types.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from '../values/value.js';
import { BudgetExceeded, spend } from '../values/work.js';
import type { CompileContext } from './compile-context.js';
import { type Plan, plan } from './plan.js';
import type { Evaluate, Frame } from './program.js';

/** Where a fold keeps its elements. */
interface Slots {
  readonly item: number;
  /** Of the second variable, where there is one: then `item` is the index or the key. */
  readonly item2: number | undefined;
}

/** Closures of one fold. */
interface Fold extends Slots {
  readonly range: Evaluate;
  readonly initial: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  readonly accumulator: number;
  readonly node: number;
}

export function compileFold(compiler: CompileContext, node: ComprehensionExpr): Plan {
  const range = compiler.compile(node.range).run;
  const quantifier = quantifierOf(compiler, node);
  if (quantifier !== undefined) return plan(quantify(compiler, node, range, quantifier));
  const counted = countedOf(node);
  if (counted !== undefined) return plan(count(compiler, node, range, counted));
  const initial = compiler.compile(node.initial).run;
  return compiler.within(node.accumulator, (accumulator) => {
    const loop = scoped(compiler, node, (slots) => ({
      ...slots,
      condition: compiler.compile(node.condition).run,
      step: stepOf(compiler, node, accumulator),
    }));
    const result = compiler.compile(node.result).run;
    const endless = node.condition.kind === 'const' && node.condition.value === true;
    return plan(general({ range, initial, ...loop, result, accumulator, node: node.id }, endless));
  });
}

/** Compiles what sees the variables of a fold. */
function scoped<T>(compiler: CompileContext, { variable, variable2 }: ComprehensionExpr, body: (slots: Slots) => T): T {
  return compiler.within(variable, (item) =>
    variable2 === undefined
      ? body({ item, item2: undefined })
      : compiler.within(variable2, (item2) => body({ item, item2 })),
  );
}

const isAccumulator = (node: Expr | undefined): boolean => node?.kind === 'ident' && node.name === ACCUMULATOR;

/** The fold as the language defines it. */
function general(fold: Fold, endless: boolean): Evaluate {
  const { range, initial, condition, step, result, accumulator, node } = fold;
  return (frame) => {
    const over = range(frame);
    if (over instanceof EvaluationError) return over;
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node);
    frame.slots[accumulator] = growing(initial(frame));
    const { size } = list;
    for (let i = 0; i < size; i++) {
      place(frame, fold, over, list, i);
      if (!endless && condition(frame) === false) break;
      frame.slots[accumulator] = step(frame);
      if (frame.cost > frame.limit) throw new BudgetExceeded();
    }
    return result(frame);
  };
}

/** The reference names what it cannot iterate by its own types: `types.String`. */
function implementationOf(value: Value): string {
  const name = typeName(value);
  const plain = /^(?:google\.protobuf\.)?(string|int|uint|double|bool|bytes|null|Timestamp|Duration)(?:_type)?$/.exec(
    name,
  )?.[1];
  return plain === undefined ? name : `types.${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

const notIterable = (value: Value, node: number): EvaluationError =>
  new EvaluationError(`got '${implementationOf(value)}', expected iterable type`, node);

/** An empty list or map that a fold begins with is its own: it grows in place. */
function growing(value: Outcome): Outcome {
  if (value instanceof ListValue && value.size === 0) return new GrowingList();
  return value instanceof MapValue && value.size === 0 ? new GrowingMap() : value;
}

/** What a fold goes over: elements, or keys. */
function elementsOf(value: Value): ListValue | undefined {
  if (value instanceof ListValue) return value;
  return value instanceof MapValue ? new ArrayList([...value.keys()]) : undefined;
}

/** Puts an element into the slots of a fold. */
function place(frame: Frame, { item, item2 }: Slots, over: Value, list: ListValue, index: number): void {
  spend(1);
  const element = list.at(index);
  if (item2 === undefined) frame.slots[item] = element;
  else if (over instanceof MapValue && !(element instanceof EvaluationError)) {
    frame.slots[item] = element;
    frame.slots[item2] = over.get(element) ?? null;
  } else {
    frame.slots[item] = index;
    frame.slots[item2] = element;
  }
}

/** `@result + [element]`, alone or behind a filter, appends in place; everything else is a step like any other. */
function stepOf(compiler: CompileContext, node: ComprehensionExpr, accumulator: number): Evaluate {
  const { step } = node;
  const isList = node.initial.kind === 'list' && node.initial.elements.length === 0;
  if (node.accumulator !== ACCUMULATOR || !isList || step.kind !== 'call') return compiler.compile(step).run;
  const [test, appended, otherwise] = step.args;
  if (step.function === OPERATORS.conditional && test !== undefined && isAccumulator(otherwise)) {
    if (appendedElement(appended) === undefined) return compiler.compile(step).run;
    const filter = compiler.compile(test).run;
    const append = appendOf(compiler, appended, accumulator) ?? filter;
    return (frame) => {
      const kept = filter(frame);
      if (kept === true) return append(frame);
      if (kept === false) return frame.slots[accumulator] as Outcome;
      return kept instanceof EvaluationError ? kept : new EvaluationError('no such overload', step.id);
    };
  }
  return appendOf(compiler, step, accumulator) ?? compiler.compile(step).run;
}

/** The element of `@result + [element]`. */
function appendedElement(step: Expr | undefined): Expr | undefined {
  if (step?.kind !== 'call' || step.function !== OPERATORS.add || !isAccumulator(step.args[0])) return undefined;
  const list = step.args[1];
  const isOne = list?.kind === 'list' && list.elements.length === 1 && list.optional.length === 0;
  return isOne ? list.elements[0] : undefined;
}

function appendOf(compiler: CompileContext, step: Expr | undefined, accumulator: number): Evaluate | undefined {
  const element = appendedElement(step);
  if (element === undefined) return undefined;
  const { costs } = compiler;
  const made = compiler.compile(element);
  const { run } = made;
  const cost = costs.select + costs.call + (made.constant && costs.constantsAreFree === true ? 0 : costs.list);
  return (frame) => {
    const value = run(frame);
    frame.cost += cost;
    const list = frame.slots[accumulator] as Outcome;
    if (list instanceof EvaluationError || !(list instanceof GrowingList)) return list;
    if (value instanceof EvaluationError) return value;
    list.push(value);
    return list;
  };
}

/** What `all` and `exists` are made of. */
interface Quantifier {
  readonly predicate: Expr;
  /** What ends the loop: true for `exists`, false for `all`. */
  readonly ending: boolean;
  /** Cost of the condition. */
  readonly asking: number;
  /** Cost of reading the accumulator. */
  readonly reading: number;
}

function quantifierOf({ costs }: CompileContext, node: ComprehensionExpr): Quantifier | undefined {
  const { step, initial, condition } = node;
  if (node.accumulator !== ACCUMULATOR || !isAccumulator(node.result) || initial.kind !== 'const') return undefined;
  if (step.kind !== 'call' || !isAccumulator(step.args[0]) || step.args[1] === undefined) return undefined;
  if (condition.kind !== 'call' || condition.function !== OPERATORS.notStrictlyFalse) return undefined;
  const ending = step.function === OPERATORS.or;
  if (initial.value !== !ending || !(ending || step.function === OPERATORS.and)) return undefined;
  const asking = costs.select + costs.call * (ending ? 2 : 1);
  return { predicate: step.args[1], ending, asking, reading: costs.select };
}

/** `all` and `exists` in one loop, without closures around the predicate. Costs are those of the fold. */
function quantify(
  compiler: CompileContext,
  node: ComprehensionExpr,
  range: Evaluate,
  quantifier: Quantifier,
): Evaluate {
  const { ending, asking, reading } = quantifier;
  const { slots, predicate } = scoped(compiler, node, (own) => ({
    slots: own,
    predicate: compiler.compile(quantifier.predicate).run,
  }));
  return (frame) => {
    const over = range(frame);
    if (over instanceof EvaluationError) return over;
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node.id);
    let decided: Outcome = !ending;
    const { size } = list;
    for (let i = 0; i < size; i++) {
      place(frame, slots, over, list, i);
      frame.cost += asking;
      if (decided === ending) break;
      frame.cost += reading;
      const value = predicate(frame);
      if (value === ending) decided = ending;
      else if (value !== !ending && decided === !ending) {
        decided = value instanceof EvaluationError ? value : new EvaluationError('no such overload', node.id);
      }
      if (frame.cost > frame.limit) throw new BudgetExceeded();
    }
    frame.cost += reading;
    return decided;
  };
}

/** The predicate of `exists_one`. */
function countedOf(node: ComprehensionExpr): Expr | undefined {
  const { step, initial, condition, result } = node;
  if (node.accumulator !== ACCUMULATOR || initial.kind !== 'const' || initial.value !== 0) return undefined;
  if (condition.kind !== 'const' || condition.value !== true) return undefined;
  if (result.kind !== 'call' || result.function !== OPERATORS.equals || !isAccumulator(result.args[0]))
    return undefined;
  if (step.kind !== 'call' || step.function !== OPERATORS.conditional || !isAccumulator(step.args[2])) return undefined;
  const added = step.args[1];
  return added?.kind === 'call' && added.function === OPERATORS.add && isAccumulator(added.args[0])
    ? step.args[0]
    : undefined;
}

/** `exists_one`: sees every element; the last error of the predicate wins. */
function count(compiler: CompileContext, node: ComprehensionExpr, range: Evaluate, counted: Expr): Evaluate {
  const { costs } = compiler;
  const adding = costs.select + costs.call;
  const comparing = costs.select + 1;
  const { slots, predicate } = scoped(compiler, node, (own) => ({
    slots: own,
    predicate: compiler.compile(counted).run,
  }));
  return (frame) => {
    const over = range(frame);
    if (over instanceof EvaluationError) return over;
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node.id);
    let held = 0;
    let error: EvaluationError | undefined;
    const { size } = list;
    for (let i = 0; i < size; i++) {
      place(frame, slots, over, list, i);
      const value = predicate(frame);
      if (value === true) {
        frame.cost += adding;
        held++;
      } else if (value !== false) {
        error = value instanceof EvaluationError ? value : new EvaluationError('no such overload', node.id);
      }
      if (frame.cost > frame.limit) throw new BudgetExceeded();
    }
    frame.cost += comparing;
    return error ?? held === 1;
  };
}
