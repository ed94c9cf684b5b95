import { ACCUMULATOR, type ComprehensionExpr, type Expr, OPERATORS } from '../syntax/ast.js';
import { ArrayList, ListView } from '../values/lists.js';
import { GrowingMap } from '../values/maps.js';
import { implementationOf } from '../values/types.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from '../values/value.js';
import { BudgetExceeded, spend } from '../values/work.js';
import type { CompileContext } from './compile-context.js';
import { evaluateOperand, type Plan, plan } from './plan.js';
import { type Evaluate, type Frame, isOver } from './program.js';
import { isObject, type Slot } from './slots.js';

/** The slots in which a fold keeps its current element. */
interface Slots {
  readonly item: Slot;
  /** The slot of the second variable, if there is one; `item` is then the index or the key. */
  readonly item2: number | undefined;
}

/** The compiled parts of one fold. */
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
  if (counted !== undefined) return plan(existsOne(compiler, node, range, counted));
  const collector = collectorOf(node);
  if (collector !== undefined) return plan(compileCollector(compiler, node, range, collector));
  const initial = compiler.compile(node.initial).run;
  return compiler.within(node.accumulator, undefined, ({ value: accumulator }) => {
    const loop = inScope(compiler, node, (slots) => ({
      ...slots,
      condition: compiler.compile(node.condition).run,
      step: compiler.compile(node.step).run,
    }));
    const result = compiler.compile(node.result).run;
    const endless = node.condition.kind === 'const' && node.condition.value === true;
    return plan(general({ range, initial, ...loop, result, accumulator, node: node.id }, endless));
  });
}

/** Reserves slots for the iteration variables of a fold. `body` gets the slots and compiles the expressions that use the variables. */
function inScope<T>(compiler: CompileContext, node: ComprehensionExpr, body: (slots: Slots) => T): T {
  const { variable, variable2 } = node;
  if (variable2 !== undefined) {
    return compiler.within(variable, undefined, (item) =>
      compiler.within(variable2, undefined, ({ value }) => body({ item, item2: value })),
    );
  }
  const range = compiler.type(node.range);
  const element = range?.kind === 'list' ? range.element : undefined;
  return compiler.within(variable, element, (item) => body({ item, item2: undefined }));
}

const isAccumulator = (node: Expr | undefined): boolean => node?.kind === 'ident' && node.name === ACCUMULATOR;

/** Compiles a fold that has no specialized loop. The evaluation follows the steps of the CEL specification. */
function general(fold: Fold, endless: boolean): Evaluate {
  const { range, initial, condition, step, result, accumulator, node } = fold;
  return (frame) => {
    const over = range(frame);
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node);
    const objects = objectsIn(list, fold);
    frame.slots[accumulator] = growing(initial(frame));
    const { size } = list;
    for (let i = 0; i < size; i++) {
      spend(1);
      if (objects === undefined || !placeObject(frame, fold.item, objects[i])) placeValue(frame, fold, over, list, i);
      if (!endless && condition(frame) === false) break;
      frame.slots[accumulator] = step(frame);
      if (isOver(frame)) throw new BudgetExceeded();
    }
    return result(frame);
  };
}

/** Returns the error for a value that should have been a bool. */
const asError = (value: Outcome, node: number): EvaluationError =>
  value instanceof EvaluationError ? value : new EvaluationError('no such overload', node);

const notIterable = (value: Outcome, node: number): EvaluationError =>
  value instanceof EvaluationError
    ? value
    : new EvaluationError(`got '${implementationOf(value)}', expected iterable type`, node);

/**
 * Returns the initial value of a fold. An empty map is replaced by a map that grows in place, which is safe because only the fold can see
 * that map.
 */
function growing(value: Outcome): Outcome {
  return value instanceof MapValue && value.size === 0 ? new GrowingMap() : value;
}

/** Returns the elements of a list or the keys of a map, over which a fold iterates. */
function elementsOf(value: Outcome): ListValue | undefined {
  if (value instanceof ListView || value instanceof ListValue) return value;
  return value instanceof MapValue ? new ArrayList([...value.keys()]) : undefined;
}

/** Returns the JavaScript array behind a list if the fold's slot can store its objects without conversion, else undefined. */
const objectsIn = (list: ListValue, { item }: Slots): readonly unknown[] | undefined =>
  item.type !== undefined && list instanceof ListView && list.objects === item.type ? list.array : undefined;

/** Stores a list element in the fold's slots without converting it to a CEL value; returns false when the element is not an object. */
function placeObject({ slots }: Frame, { value, members }: Slot, element: unknown): boolean {
  if (!isObject(element)) return false;
  slots[members as number] = element;
  slots[value] = undefined;
  return true;
}

/** Stores a list element in the fold's slots as a CEL value. */
function placeValue(frame: Frame, { item, item2 }: Slots, over: Outcome, list: ListValue, index: number): void {
  if (item2 !== undefined) {
    placeBoth(frame, item.value, item2, over, list, index);
    return;
  }
  frame.slots[item.value] = list.at(index);
  if (item.members !== undefined) frame.slots[item.members] = undefined;
}

function placeBoth(frame: Frame, item: number, item2: number, over: Outcome, list: ListValue, index: number): void {
  const element = list.at(index);
  if (over instanceof MapValue && !(element instanceof EvaluationError)) {
    frame.slots[item] = element;
    frame.slots[item2] = over.get(element) ?? null;
  } else {
    frame.slots[item] = index;
    frame.slots[item2] = element;
  }
}

/** Returns the element that the step `@result + [element]` appends. */
function appendedElement(step: Expr | undefined): Expr | undefined {
  if (step?.kind !== 'call' || step.function !== OPERATORS.add || !isAccumulator(step.args[0])) return undefined;
  const list = step.args[1];
  const isOne = list?.kind === 'list' && list.elements.length === 1 && list.optional.length === 0;
  return isOne ? list.elements[0] : undefined;
}

/** The syntax-tree nodes of a `map` or `filter` macro, found in its expansion. */
interface Collector {
  readonly filter: Expr | undefined;
  readonly element: Expr;
}

function collectorOf({ step, initial, condition, accumulator, result }: ComprehensionExpr): Collector | undefined {
  if (accumulator !== ACCUMULATOR || !isAccumulator(result) || step.kind !== 'call') return undefined;
  if (initial.kind !== 'list' || initial.elements.length > 0) return undefined;
  if (condition.kind !== 'const' || condition.value !== true) return undefined;
  const isFiltered = step.function === OPERATORS.conditional && isAccumulator(step.args[2]);
  const [filter, appended] = isFiltered ? step.args : [undefined, step];
  const element = appendedElement(appended);
  return element && { filter, element };
}

/**
 * Compiles `map` and `filter` to a loop that appends in place. If a predicate fails, the result is the error of the last failed predicate.
 * Otherwise, if an element fails, it is the error of the first failed element.
 */
function compileCollector(
  compiler: CompileContext,
  node: ComprehensionExpr,
  range: Evaluate,
  collector: Collector,
): Evaluate {
  const { costs } = compiler;
  const initial = compiler.compile(node.initial).run;
  const { slots, filter, element } = inScope(compiler, node, (own) => ({
    slots: own,
    filter: collector.filter && compiler.compile(collector.filter).run,
    element: compiler.compile(collector.element),
  }));
  const cost = costs.select + costs.call + (element.constant && costs.constantsAreFree === true ? 0 : costs.list);
  const reading = costs.select;
  const filterNode = node.step.id;
  return (frame) => {
    const over = range(frame);
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node.id);
    const objects = objectsIn(list, slots);
    initial(frame);
    const values: Value[] = [];
    let error: EvaluationError | undefined;
    const { size } = list;
    for (let i = 0; i < size; i++) {
      spend(1);
      if (objects === undefined || !placeObject(frame, slots.item, objects[i])) placeValue(frame, slots, over, list, i);
      const kept = filter === undefined ? true : filter(frame);
      if (kept === true) {
        const value = evaluateOperand(frame, element);
        frame.cost += cost;
        if (!(value instanceof EvaluationError)) values.push(value);
        else error ??= value;
      } else if (kept !== false) error = asError(kept, filterNode);
      if (isOver(frame)) throw new BudgetExceeded();
    }
    frame.cost += reading;
    return error ?? new ArrayList(values);
  };
}

/** The predicate and the costs of an `all` or `exists` macro, found in its expansion. */
interface Quantifier {
  readonly predicate: Expr;
  /** The value of the predicate that ends the loop: true for `exists`, false for `all`. */
  readonly ending: boolean;
  /** The cost of evaluating the loop condition once. */
  readonly asking: number;
  /** The cost of reading the accumulator. */
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

/** Compiles `all` and `exists` to one loop, without closures around the predicate. It charges the same costs as the general fold. */
function quantify(
  compiler: CompileContext,
  node: ComprehensionExpr,
  range: Evaluate,
  quantifier: Quantifier,
): Evaluate {
  const { ending, asking, reading } = quantifier;
  const costOfElement = asking + reading;
  const { slots, predicate } = inScope(compiler, node, (own) => ({
    slots: own,
    predicate: compiler.compile(quantifier.predicate).run,
  }));
  return (frame) => {
    const over = range(frame);
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node.id);
    const objects = objectsIn(list, slots);
    let error: EvaluationError | undefined;
    const { size } = list;
    for (let i = 0; i < size; i++) {
      spend(1);
      if (objects === undefined || !placeObject(frame, slots.item, objects[i])) placeValue(frame, slots, over, list, i);
      frame.cost += costOfElement;
      const value = predicate(frame);
      if (isOver(frame)) throw new BudgetExceeded();
      if (value === ending) {
        // The general fold evaluates the loop condition once more before it ends, if there is a next element. This loop therefore charges
        // that cost, too.
        frame.cost += i + 1 < size ? asking + reading : reading;
        return ending;
      }
      if (value !== !ending) error ??= asError(value, node.id);
    }
    frame.cost += reading;
    return error ?? !ending;
  };
}

/** Returns the predicate of `exists_one`; undefined for any other fold. */
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

/** Compiles `exists_one`, which visits every element. If the predicate fails for several elements, the result is the last error. */
function existsOne(compiler: CompileContext, node: ComprehensionExpr, range: Evaluate, counted: Expr): Evaluate {
  const { costs } = compiler;
  const adding = costs.select + costs.call;
  const comparing = costs.select + 1;
  const { slots, predicate } = inScope(compiler, node, (own) => ({
    slots: own,
    predicate: compiler.compile(counted).run,
  }));
  return (frame) => {
    const over = range(frame);
    const list = elementsOf(over);
    if (list === undefined) return notIterable(over, node.id);
    const objects = objectsIn(list, slots);
    let held = 0;
    let error: EvaluationError | undefined;
    const { size } = list;
    for (let i = 0; i < size; i++) {
      spend(1);
      if (objects === undefined || !placeObject(frame, slots.item, objects[i])) placeValue(frame, slots, over, list, i);
      const value = predicate(frame);
      if (value === true) {
        frame.cost += adding;
        held++;
      } else if (value !== false) {
        error = asError(value, node.id);
      }
      if (isOver(frame)) throw new BudgetExceeded();
    }
    frame.cost += comparing;
    return error ?? held === 1;
  };
}
