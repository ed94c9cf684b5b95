import { ExpressionError } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';
import { networkText } from '../../src/cel/libraries/network/network.js';
import { QuantityValue } from '../../src/cel/libraries/quantity.js';
import { Double } from '../../src/cel/values/numbers.js';
import { Optional } from '../../src/cel/values/optional.js';
import { EvaluationError, ListValue, MapValue, type Outcome } from '../../src/cel/values/value.js';
import { formatQuantity } from '../../src/values/quantity.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { evaluate, release } from './kubernetes-data.js';

interface Case {
  readonly test: string;
  readonly name: string;
  readonly expr: string;
  readonly expect?: unknown;
  readonly runtimeError?: string;
  readonly compileErrors?: readonly string[];
}

/** Returns a value in the notation of the data. */
function shown(value: Outcome): unknown {
  if (value instanceof Double) return value.value;
  if (value instanceof QuantityValue) return { quantity: formatQuantity(value.quantity) };
  if (value instanceof Optional) return { optional: value.value === undefined ? 'none' : shown(value.value) };
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, i) => shown(value.at(i)));
  if (value instanceof MapValue || value instanceof EvaluationError) return value;
  const text = networkText(value);
  return text === undefined ? value : { [text.includes('/') ? 'cidr' : 'ip']: text };
}

describe.skipIf(!hasSharedData)('values of libraries (needs the data of ../shared)', () => {
  const { cases } = readShared<{ cases: Case[] }>('data/k8s-cel/library-values.json', { cases: [] });
  const environment = release();
  it.each(cases.map((one, i) => [`${i} ${one.test} ${one.name}`, one] as const))('%s', (_name, one) => {
    if (one.compileErrors !== undefined) {
      expect(() => evaluate(environment, one.expr)).toThrow(ExpressionError);
      for (const message of one.compileErrors)
        expect(() => evaluate(environment, one.expr)).toThrow(new RegExp(message));
      return;
    }
    const { outcome } = evaluate(environment, one.expr);
    if (one.runtimeError === undefined) {
      expect(shown(outcome)).toEqual(one.expect);
      return;
    }
    expect(outcome).toBeInstanceOf(EvaluationError);
    const { message } = outcome as EvaluationError;
    const isPattern = one.runtimeError.endsWith('.*');
    if (isPattern) expect(message).toMatch(new RegExp(one.runtimeError));
    else expect(message).toContain(one.runtimeError);
  });
});
