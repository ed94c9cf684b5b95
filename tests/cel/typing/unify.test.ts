import {
  BOOL,
  DURATION,
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  param,
  STRING,
  Substitution,
  type Type,
  TypeTooComplex,
  typeOf,
  UINT,
  wrapperOf,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

const T = param('T');
const U = param('U');
const can = (to: Type, from: Type) => new Substitution().assign([to], [from]);

describe('assignability', () => {
  it.each<[Type, Type, boolean]>([
    [INT, INT, true],
    [INT, UINT, false],
    [INT, DYN, true],
    [DYN, listOf(INT), true],
    [listOf(INT), listOf(DYN), true],
    [listOf(INT), listOf(STRING), false],
    [mapOf(STRING, INT), mapOf(STRING, INT), true],
    [mapOf(STRING, INT), mapOf(INT, INT), false],
    [listOf(INT), mapOf(INT, INT), false],
    [wrapperOf(INT), INT, true],
    [INT, wrapperOf(INT), true],
    [wrapperOf(INT), NULL, true],
    [wrapperOf(INT), STRING, false],
    [INT, NULL, false],
    [STRING, NULL, false],
    [NULL, DURATION, true],
    [opaque('set', INT), opaque('set', INT), true],
    [opaque('set', INT), opaque('bag', INT), false],
    [opaque('set', INT), opaque('set', BOOL), false],
    [typeOf(INT), typeOf(STRING), true],
    [typeOf(INT), INT, false],
  ])('%j takes %j: %j', (to, from, expected) => {
    expect(can(to, from)).toBe(expected);
  });
});

describe('type parameters', () => {
  it('have one type everywhere', () => {
    const known = new Substitution();
    expect(known.assign([INT, listOf(INT)], [T, listOf(T)])).toBe(true);
    expect(formatType(known.apply(mapOf(T, U)))).toBe('map(int, U)');
    expect(formatType(known.apply(mapOf(T, U), true))).toBe('map(int, dyn)');
    expect(known.assign([STRING], [T])).toBe(false);
  });
  it('become dyn if one use is dyn', () => {
    const known = new Substitution();
    expect(known.assign([INT, DYN], [T, T])).toBe(true);
    expect(known.apply(T)).toBe(DYN);
  });
  it('keep nothing of an attempt that failed, not even of its first half', () => {
    const known = new Substitution();
    expect(known.assign([INT, STRING], [T, BOOL])).toBe(false);
    expect(known.apply(T)).toBe(T);
    expect(known.assign([STRING], [T])).toBe(true);
    expect(known.assign([DYN, INT], [T, BOOL])).toBe(false);
    expect(known.apply(T)).toBe(STRING);
  });
  it('never contain themselves', () => {
    expect(can(listOf(T), T)).toBe(false);
    const known = new Substitution();
    expect(known.assign([listOf(U)], [T])).toBe(true);
    expect(known.assign([listOf(T)], [U])).toBe(false);
    expect(formatType(known.apply(T, true))).toBe('list(dyn)');
  });
  it('refuse types that double with every use', () => {
    const known = new Substitution();
    const grow = () => {
      for (let i = 0; i < 40; i++) known.assign([mapOf(param(`P${i}`), param(`P${i}`))], [param(`P${i + 1}`)]);
      return known.apply(param('P40'));
    };
    expect(grow).toThrow(TypeTooComplex);
  });
});
