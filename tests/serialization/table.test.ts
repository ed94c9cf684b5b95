import { describe, expect, it } from 'vitest';
import { isApiError } from '../../src/meta/api-error.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { unrecognized } from '../../src/meta/type-meta.js';
import { ageCell as formatAge } from '../../src/resources/shared/columns.js';
import { encodeWatchEvent } from '../../src/serialization/encoding-cache.js';
import {
  partialObjectMetadata,
  partialObjectMetadataList,
  wrongPartialForm,
} from '../../src/serialization/partial-object-metadata.js';
import { readEnvelope } from '../../src/serialization/protobuf/documents.js';
import {
  type IncludeObject,
  parseIncludeObject,
  type TableColumn,
  tableOfList,
  tableOfObject,
  tableWatch,
} from '../../src/serialization/table.js';
import { goldenSteps, hasSharedData } from '../support/shared-data.js';
import { messageOf, recordedRequests } from './golden.js';

const apiVersion = 'meta.k8s.io/v1';
const now = Date.parse('2024-01-01T00:01:00Z');
interface Secret extends ApiObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}
const secret = (name: string, data: Record<string, string> = {}): Secret => ({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name, resourceVersion: '7', creationTimestamp: '2024-01-01T00:00:00Z' },
  type: 'Opaque',
  data,
});
const columns: readonly TableColumn<Secret>[] = [
  { name: 'Name', type: 'string', format: 'name', description: '<text>', cell: (o) => o.metadata.name ?? '' },
  { name: 'Type', type: 'string', description: '<text>', cell: (o) => o.type ?? '' },
  { name: 'Data', type: 'string', description: '<text>', cell: (o) => Object.keys(o.data ?? {}).length },
  { name: 'Age', type: 'string', description: '<text>', cell: (o, at) => formatAge(o.metadata.creationTimestamp, at) },
];

describe('Table', () => {
  it('has its fields in wire order', () => {
    const table = tableOfObject(secret('a', { k: 'MQ==' }), { apiVersion, columns, now });
    expect(JSON.stringify(table)).toBe(
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":[' +
        '{"name":"Name","type":"string","format":"name","description":"<text>","priority":0},{"name":"Type","type":"string","format":"","description":"<text>","priority":0},' +
        '{"name":"Data","type":"string","format":"","description":"<text>","priority":0},{"name":"Age","type":"string","format":"","description":"<text>","priority":0}],' +
        '"rows":[{"cells":["a","Opaque",1,"60s"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","resourceVersion":"7","creationTimestamp":"2024-01-01T00:00:00Z"}}}]}',
    );
  });
  it('of a list keeps its metadata', () => {
    const metadata = { resourceVersion: '9', continue: 'x', remainingItemCount: 1 };
    const table = tableOfList({ metadata, items: [secret('a'), secret('b')] }, { apiVersion, columns, now });
    expect(table.metadata).toBe(metadata);
    expect([...table.rows].map((row) => row.cells[0])).toEqual(['a', 'b']);
    expect([...tableOfList({ metadata, items: [] }, { apiVersion, now }).rows]).toEqual([]);
  });
  it('has two columns by default', () => {
    const table = tableOfObject(secret('a'), { apiVersion, now });
    expect(table.columnDefinitions?.map((c) => `${c.name}:${c.type}:${c.format}:${c.priority}`)).toEqual([
      'Name:string:name:0',
      'Created At:date::0',
    ]);
    expect(table.rows[0]?.cells).toEqual(['a', '2024-01-01T00:00:00Z']);
  });
  it.each<[IncludeObject, unknown]>([
    ['Metadata', { kind: 'PartialObjectMetadata', apiVersion, metadata: secret('a').metadata }],
    ['Object', secret('a')],
    ['None', null],
  ])('includeObject=%s', (includeObject, object) =>
    expect(tableOfObject(secret('a'), { apiVersion, now, includeObject }).rows[0]?.object).toEqual(object),
  );
  it('refuses another includeObject', () => {
    expect(parseIncludeObject('')).toBe('Metadata');
    expect(parseIncludeObject(undefined)).toBe('Metadata');
    try {
      parseIncludeObject('All');
      expect.unreachable();
    } catch (error) {
      const message = `Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`;
      expect(isApiError(error) && error.status).toMatchObject({ code: 400, reason: 'BadRequest', message });
    }
  });
});

describe.skipIf(!hasSharedData)('recorded watch as Table', () => {
  it('sends columns once, and bookmarks as rows', () => {
    const step = hasSharedData
      ? goldenSteps('watch/initial-events').find(({ step }) => step === 'as Table')
      : undefined;
    const events = (step?.body ?? []) as { object: unknown }[];
    const convert = tableWatch({ apiVersion, columns });
    const recorded = JSON.parse(
      JSON.stringify(events)
        .replaceAll('"<age>"', '"60s"')
        .replaceAll(/"<rv[#\d]*>"/g, '"7"')
        .replaceAll('<time>', '2024-01-01T00:00:00Z'),
    );
    const made = recorded.map((event: { object: { rows: { object: ApiObject }[] } }, i: number) => {
      const metadata = event.object.rows[0]?.object.metadata ?? {};
      return convert({ kind: 'Secret', apiVersion: 'v1', metadata, ...(i === 0 ? { type: 'Opaque' } : {}) }, now);
    });
    expect(made).toEqual(recorded.map((event: { object: unknown }) => event.object));
    expect(made).toHaveLength(2);
  });
});

describe('PartialObjectMetadata', () => {
  it('is encoded once per object version, and so is its event', () => {
    const object = secret('a');
    const partial = partialObjectMetadata(object, apiVersion);
    expect(partialObjectMetadata(object, apiVersion)).toBe(partial);
    expect(partialObjectMetadata(object, 'meta.k8s.io/v1beta1').apiVersion).toBe('meta.k8s.io/v1beta1');
    expect(encodeWatchEvent('ADDED', partial)).toBe(
      encodeWatchEvent('ADDED', partialObjectMetadata(object, apiVersion)),
    );
    expect(
      JSON.stringify(partialObjectMetadataList({ metadata: { resourceVersion: '1' }, items: [object] }, apiVersion)),
    ).toBe(
      `{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"1"},"items":[${JSON.stringify(partial)}]}`,
    );
  });
  it.skipIf(!hasSharedData)('refuses an object of another form', () => {
    const recorded = hasSharedData ? goldenSteps('negotiation/table-options') : [];
    const find = (title: string) => recorded.find(({ step }) => step === title)?.body;
    expect(wrongPartialForm('PartialObjectMetadata', '*core.SecretList').status).toEqual(find('single form on a list'));
    expect(wrongPartialForm('PartialObjectMetadataList', '*core.Secret').status).toEqual(
      find('list form on a single object'),
    );
  });
});

describe.skipIf(!hasSharedData)('recorded protobuf bodies', async () => {
  const requests = hasSharedData
    ? (await recordedRequests('negotiation/content-types')).filter(
        (r) => r.options.type === 'application/vnd.kubernetes.protobuf',
      )
    : [];
  it.each(requests)('$title', ({ body, answer }) => {
    let message = '';
    try {
      readEnvelope(body);
    } catch (error) {
      message = unrecognized('ConfigMap', error instanceof Error ? error.message : '', body).message;
    }
    expect(message).toBe(messageOf(answer));
  });
  it('reads no further than the prefix', () =>
    expect(() => readEnvelope(Uint8Array.of(0x6b, 0x38, 0x73, 0))).toThrow('empty body'));
});
