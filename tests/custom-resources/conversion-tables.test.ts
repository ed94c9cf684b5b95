import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/custom-resources/columns.js';
import { acceptConverted, readConverted, reviewKind } from '../../src/custom-resources/conversion/conversion-review.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import type { ApiObject } from '../../src/meta/object-meta.js';

const TYPE = { apiVersion: 'example.com/v2', kind: 'Foo' };
const accept = (original: object, converted: object) =>
  acceptConverted({ ...TYPE, ...original } as ApiObject, { ...TYPE, ...converted } as JsonValue, TYPE.apiVersion);

// Facts of upstream's tests of conversions (apiextensions-apiserver, pkg/apiserver/conversion).
describe('the metadata of an object that a webhook converted', () => {
  const labels = { a: 'A', b: 'B' };
  const annotations = { a: '1', b: '2' };
  const others = { finalizers: ['x.io/f'] };

  it.each<[string, object, object, object]>([
    ['is taken from a converted object that had none', {}, { metadata: {}, spec: {} }, {}],
    [
      'keeps changed labels and annotations and drops other changes',
      { metadata: { ...others, labels, annotations } },
      { metadata: { finalizers: ['x.io/g'], labels: { a: 'AA', b: 'B' }, annotations: { a: '1', b: '22' } } },
      { ...others, labels: { a: 'AA', b: 'B' }, annotations: { a: '1', b: '22' } },
    ],
    [
      'keeps added labels and annotations',
      { metadata: others },
      { metadata: { labels, annotations } },
      { ...others, labels, annotations },
    ],
    [
      'keeps labels and annotations that replace null',
      { metadata: { ...others, labels: null, annotations: null } },
      { metadata: { labels, annotations } },
      { ...others, labels, annotations },
    ],
    [
      'has no labels and annotations if these were removed',
      { metadata: { ...others, labels, annotations } },
      { metadata: {} },
      others,
    ],
    [
      'has no labels and annotations if these became null',
      { metadata: { ...others, labels, annotations } },
      { metadata: { labels: null, annotations: null } },
      others,
    ],
  ])('%s', (_, original, converted, expected) => expect(accept(original, converted).metadata).toEqual(expected));

  it.each<[string, object, string]>([
    ['no metadata', {}, 'missing metadata in converted object'],
    ['a list as metadata', { metadata: ['foo'] }, 'invalid metadata of type []interface {} in converted object'],
    ['null as metadata', { metadata: null }, 'invalid metadata of type <nil> in converted object'],
    ['a string as labels', { metadata: { labels: 'a' } }, 'invalid metadata.labels of type string in converted object'],
    [
      'null as a label',
      { metadata: { labels: { a: null } } },
      'metadata.labels[a] must be a string, but is <nil> in converted object',
    ],
    [
      'null as an annotation',
      { metadata: { annotations: { a: null } } },
      'metadata.annotations[a] must be a string, but is <nil> in converted object',
    ],
    [
      'an invalid label key',
      { metadata: { labels: { 'some/non-qualified/label': 'x' } } },
      'metadata.labels: Invalid value: "some/non-qualified/label": a qualified name must consist of',
    ],
    [
      'an invalid annotation key',
      { metadata: { annotations: { 'some/non-qualified/label': 'x' } } },
      'metadata.annotation: Invalid value: "some/non-qualified/label": a qualified name must consist of',
    ],
    [
      'an invalid label value',
      { metadata: { labels: { foo: 'üäö' } } },
      'metadata.labels: Invalid value: "üäö": a valid label must be',
    ],
    ['a long label value', { metadata: { labels: { foo: 'x'.repeat(64) } } }, 'must be no more than 63 characters'],
    [
      'a long annotation value',
      { metadata: { annotations: { foo: 'x'.repeat(256 * 1024 + 1) } } },
      'metadata.annotation: Too long: must have at most 262144 bytes',
    ],
  ])('is refused with %s', (_, converted, why) => {
    expect(() => accept({ metadata: {} }, converted)).toThrow('returned invalid metadata: ');
    expect(() => accept({ metadata: {} }, converted)).toThrow(why);
  });

  it.each<[string, object, string]>([
    ['name', { name: 'mutated' }, 'must have the same name: foo1 != mutated'],
    ['namespace', { name: 'foo1', namespace: 'mutated' }, 'must have the same namespace:  != mutated'],
    ['uid', { name: 'foo1', uid: 'mutated' }, 'must have the same UID:  != mutated'],
  ])('is refused with another %s', (_, metadata, why) =>
    expect(() => accept({ metadata: { name: 'foo1' } }, { metadata })).toThrow(`returned invalid object: ${why}`),
  );

  it('has the apiVersion and kind that were requested', () => {
    const moo = { kind: 'Moo', metadata: { name: 'foo1' } };
    expect(() => accept({ metadata: { name: 'foo1' } }, moo)).toThrow('invalid kind (expected Foo, received Moo)');
  });
});

describe('the response of a conversion webhook', () => {
  const v1 = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };
  const v1beta1 = { ...v1, apiVersion: 'apiextensions.k8s.io/v1beta1' };
  const object = { apiVersion: 'foo/v1', kind: 'Widget', metadata: { name: 'myv1' } };
  const ok = { status: 'Success' };
  const expected = 'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got ';

  it.each<[string, typeof v1, JsonObject, readonly JsonValue[]]>([
    ['v1beta1 without objects', v1beta1, { response: { result: ok } }, []],
    ['v1beta1 with objects', v1beta1, { response: { result: ok, convertedObjects: [object] } }, [object]],
    ['v1 without objects', v1, { ...v1, response: { uid: 'uid', result: ok } }, []],
    ['v1 with objects', v1, { ...v1, response: { uid: 'uid', result: ok, convertedObjects: [object] } }, [object]],
  ])('is accepted in %s', (_, asked, answer, objects) => expect(readConverted(answer, asked, 'uid')).toEqual(objects));

  const failures = (about: JsonObject, uid: JsonObject): [string, JsonObject, string][] => [
    [
      'an empty status',
      { ...about, response: { ...uid, result: { status: '' } } },
      "response.result.status was '', not 'Success'",
    ],
    ['no result', { ...about, response: uid }, "response.result.status was '', not 'Success'"],
    [
      'a failure',
      { ...about, response: { ...uid, result: { status: 'Failure' } } },
      "response.result.status was 'Failure', not 'Success'",
    ],
    [
      'a failure with words',
      { ...about, response: { ...uid, result: { status: 'Failure', message: 'some failure message' } } },
      'some failure message',
    ],
    ['no response', about, 'no response provided'],
  ];
  it.each(failures({}, {}))('of v1beta1 is refused: %s', (_, answer, why) =>
    expect(() => readConverted(answer, v1beta1, 'uid')).toThrow(new Error(why)),
  );
  it.each([
    ...failures(v1, { uid: 'uid' }),
    ['no uid', { ...v1, response: { result: ok } }, 'expected response.uid="uid", got ""'],
    ['no version', { kind: v1.kind, response: { uid: 'uid', result: ok } }, `${expected}/, Kind=ConversionReview`],
    [
      'no kind',
      { apiVersion: v1.apiVersion, response: { uid: 'uid', result: ok } },
      `${expected}apiextensions.k8s.io/v1, Kind=`,
    ],
    [
      'another version',
      { ...v1, apiVersion: 'apiextensions.k8s.io/v2', response: { uid: 'uid', result: ok } },
      `${expected}apiextensions.k8s.io/v2, Kind=ConversionReview`,
    ],
    [
      'another kind',
      { ...v1, kind: 'ConversionReview2', response: { uid: 'uid', result: ok } },
      `${expected}apiextensions.k8s.io/v1, Kind=ConversionReview2`,
    ],
  ] as [string, JsonObject, string][])('of v1 is refused: %s', (_, answer, why) =>
    expect(() => readConverted(answer, v1, 'uid')).toThrow(new Error(why)),
  );

  it.each([
    [['vx'], undefined],
    [['v1', 'v1beta1', 'v2'], 'apiextensions.k8s.io/v1'],
    [['v1beta1', 'v1', 'v2'], 'apiextensions.k8s.io/v1beta1'],
    [['v2', 'v1beta1'], 'apiextensions.k8s.io/v1beta1'],
  ])('has the first known version of %j', (versions, apiVersion) =>
    expect(reviewKind('apiextensions.k8s.io', versions)?.apiVersion).toBe(apiVersion),
  );
});

// pkg/registry/customresource/tableconvertor
describe('a cell of a column', () => {
  const NOW = Date.parse('2024-01-02T00:00:00Z');
  const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString().replace('.000', '');
  const cell = (type: string, value: unknown, jsonPath = '.v') => {
    const [, column] = columnsOf([{ name: 'c', type, jsonPath }]);
    return column?.cell({ v: value } as never, NOW);
  };

  it.each<[string, unknown, unknown]>([
    ['integer', 42, 42],
    ['integer', 3.14, 3],
    ['integer', true, null],
    ['integer', 'foo', null],
    ['number', 42, 42],
    ['number', 3.14, 3.14],
    ['number', true, null],
    ['number', 'foo', null],
    ['boolean', 42, null],
    ['boolean', 3.14, null],
    ['boolean', true, true],
    ['boolean', 'foo', null],
    ['string', 'foo', 'foo'],
    ['date', 42, null],
    ['date', 3.14, null],
    ['date', true, null],
    ['date', at(-12.5), '12h'],
    ['date', at(12.5), '<invalid>'],
    ['date', '', '<unknown>'],
    // Values other than strings are printed as in Go.
    ['string', true, 'true'],
    ['string', 42, '42'],
    ['string', 3.14, '3.14'],
    ['string', 1_000_000.5, '1.0000005e+06'],
    ['string', null, '<no value>'],
    ['integer', null, null],
    ['date', null, null],
  ])('of type %s holds %j as %j', (type, value, expected) => expect(cell(type, value)).toEqual(expected));

  const hosts = { servers: [{ hosts: ['foo'] }, { hosts: ['bar', 'baz'] }], foo: [{ bar: [1] }, { bar: [2, 3] }] };
  it.each<[string, string, unknown]>([
    ['string', '.v.servers[0].hosts[0]', 'foo'],
    ['string', '.v.servers[0].hosts', '["foo"]'],
    ['string', '.v.servers[1].hosts', '["bar","baz"]'],
    ['string', '.v.foo[0].bar[0]', '1'],
    ['string', '.v.foo[0].bar', '[1]'],
    ['string', '.v.foo[1].bar', '[2,3]'],
    ['integer', '.v.foo[0].bar[0]', 1],
    ['integer', '.v.foo[0].bar', null],
    ['integer', '.v.foo[1].bar', null],
    ['integer', '.v.foo[*].bar', null],
  ])('of type %s at %s is %j', (type, path, expected) => expect(cell(type, hosts, path)).toEqual(expected));
});
