import { expect, it } from 'vitest';
import {
  int64,
  list,
  map,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  struct,
  structSchema,
} from '../../src/schema/authoring.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { printGoSyntax } from '../../src/schema/print-go-syntax.js';

const inner = struct('io.k8s.api.core.v1.Inner', '', () => ({ ipBlock: required(string(), 1) }));
const outer = struct('io.k8s.api.core.v1.Outer', '', () => ({
  apiVersion: required(string(), 1),
  seconds: omitNull(int64(), 2),
  inner: omitNull(inner, 3),
  names: omitEmpty(list(string({ typeName: 'v1.NodeName' })), 4),
  labels: omitEmpty(map(string()), 5),
  size: required(quantity(), 6),
}));

it('prints structs, pointers, lists and maps with the types of their group', () => {
  const size =
    'resource.Quantity{i:resource.int64Amount{value:500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"500m", Format:"DecimalSI"}';
  expect(
    printGoSyntax(outer, { apiVersion: 'v1', seconds: 5, names: ['a'], labels: { b: '1', a: '2' }, size: '500m' }),
  ).toBe(
    'core.Outer{APIVersion:"v1", Seconds:(*int64)(0xc000000000), Inner:(*core.Inner)(nil), ' +
      `Names:[]core.NodeName{"a"}, Labels:map[string]string{"a":"2", "b":"1"}, Size:${size}}`,
  );
  expect(printGoSyntax(inner, { ipBlock: 'x' })).toBe('core.Inner{IPBlock:"x"}');
  expect(printGoSyntax(list(string({ typeName: 'v1.Mode' })), ['a'], 'storage')).toBe('[]storage.Mode{"a"}');
  expect(printGoSyntax(list(string()), undefined)).toBe('[]string(nil)');
});

it('prints an empty list or map that was given, though the final form has none', () => {
  const schema = struct('io.k8s.api.core.v1.Holder', 'Holds.', () => ({
    names: omitEmpty(list(string()), 1, 'Names.'),
    labels: omitEmpty(map(string()), 2, 'Labels.'),
  }));
  const print = (value: object) => printGoSyntax(schema, decodeTyped(structSchema(schema), value).value);
  expect(print({})).toBe('core.Holder{Names:[]string(nil), Labels:map[string]string(nil)}');
  expect(print({ names: [], labels: {} })).toBe('core.Holder{Names:[]string{}, Labels:map[string]string{}}');
});
