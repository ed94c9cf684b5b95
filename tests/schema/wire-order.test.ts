import { describe, expect, it } from 'vitest';
import { int32, listAtomic, map, omitEmpty, string, struct, structSchema } from '../../src/schema/authoring.js';
import { inWireOrder } from '../../src/schema/wire-order.js';
import { deepFreeze } from '../../src/store/freeze.js';

const part = struct('v1.Part', '', () => ({ a: omitEmpty(string()), b: omitEmpty(int32()) }));
const schema = structSchema(
  struct('v1.Whole', '', () => ({
    first: omitEmpty(string()),
    parts: omitEmpty(listAtomic(part)),
    labels: omitEmpty(map(string())),
  })),
);

describe('wire order', () => {
  it('is that of the schema at every depth; maps go by name, what is unknown comes last', () => {
    const value = { x: 1, labels: { b: '', a: '' }, parts: [{ b: 1, a: '1' }], first: 'f' };
    expect(JSON.stringify(inWireOrder(schema, value))).toBe(
      '{"first":"f","parts":[{"a":"1","b":1}],"labels":{"a":"","b":""},"x":1}',
    );
  });
  it('shares what is in order', () => {
    const good = deepFreeze({ first: 'f', parts: [{ a: '1', b: 1 }], labels: { a: '' } });
    expect(inWireOrder(schema, good)).toBe(good);
    const { parts } = inWireOrder(schema, { parts: good.parts, first: 'f' }) as typeof good;
    expect(parts).toBe(good.parts);
  });
  it('keeps hostile names', () => {
    const value = JSON.parse('{"labels":{"b":"","__proto__":"x"},"constructor":1}');
    expect(JSON.stringify(inWireOrder(schema, value))).toBe('{"labels":{"__proto__":"x","b":""},"constructor":1}');
  });
});
