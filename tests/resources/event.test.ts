import { describe, expect, it } from 'vitest';
import { k8s, orch } from '../../src/meta/dialect.js';
import { fromCoreEvent, toCoreEvent } from '../../src/resources/core/event/event.js';
import { coreEvent } from '../../src/resources/core/index.js';
import { event } from '../../src/resources/events/index.js';
import { created, createErrors, readBody, row, updateErrors } from './steps.js';

const now = Date.parse('2026-01-01T00:05:00Z');
const metadata = { name: 'e', namespace: 'n' };
const about = { kind: 'ConfigMap', namespace: 'n', name: 'm' };
const old = { metadata, involvedObject: about, reason: 'Tested', message: 'a message', type: 'Normal' };
const newer = {
  metadata,
  regarding: about,
  eventTime: '2026-01-01T00:00:00.000001Z',
  reportingController: 'x.org/y',
  reportingInstance: 'i',
  action: 'Acted',
  reason: 'R',
  type: 'Normal',
  note: 'n',
};

describe('the core group', () => {
  it.each<[string, object, string[]]>([
    ['a valid event', old, []],
    ['an event of any type without a reason', { ...old, type: 'Strange', reason: '' }, []],
    [
      'the namespace of the object',
      { ...old, involvedObject: { ...about, namespace: 'other' } },
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    ],
    [
      'an event about nothing',
      { metadata },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
    [
      'an event in default about a cluster-scoped object',
      { ...old, metadata: { name: 'e', namespace: 'default' }, involvedObject: { kind: 'Node', name: 'x' } },
      [],
    ],
    [
      'an event with eventTime but without a reporter',
      { ...old, eventTime: '2026-01-01T00:00:00.000000Z' },
      [
        'reportingComponent: Required value',
        expect.stringContaining('reportingComponent: Invalid value: ""'),
        expect.any(String),
        'reportingInstance: Required value',
        'action: Required value',
      ],
    ],
  ])('validates %s', async (_, body, errors) => {
    expect(await createErrors(coreEvent, body)).toEqual(errors);
  });
});

describe('the newer group', () => {
  it('has additional rules for new events', async () => {
    expect(await createErrors(event, newer)).toEqual([]);
    expect(await createErrors(event, { metadata, note: 'x' })).toEqual([
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
      'eventTime: Required value',
      'type: Invalid value: "": has invalid value: ',
    ]);
    expect(
      await createErrors(event, {
        ...newer,
        series: { count: 1 },
        deprecatedCount: 2,
        deprecatedSource: { host: 'h' },
      }),
    ).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
      'count: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ]);
  });

  it('can change only the series', async () => {
    const before = created(event, newer);
    expect(
      await updateErrors(
        event,
        { ...newer, series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' } },
        before,
      ),
    ).toEqual([]);
  });

  it.each([
    [{ type: 'Warning' }, ['"Warning"']],
    [{ note: '' }, ['""']],
    [{ reason: 'Other' }, ['"Other"', '"Other"']], // told twice
    [{ regarding: { ...about, name: 'q' } }, [expect.stringMatching(/^core\.ObjectReference\{Kind:.*Name:"q"/)]],
    [{ related: about }, [expect.stringMatching(/^core\.ObjectReference\{Kind:/)]],
    [{ deprecatedSource: { host: 'h' } }, ['core.EventSource{Component:"", Host:"h"}']],
    [{ deprecatedFirstTimestamp: '2026-01-02T03:04:05Z' }, ['2026-01-02 03:04:05 +0000 UTC']],
    [{ eventTime: '2026-01-02T03:04:05.000060Z' }, ['2026-01-02 03:04:05.00006 +0000 UTC']],
  ])('reports changes of immutable fields: %j', async (change, shown) => {
    const before = created(event, newer);
    const errors = await updateErrors(event, { ...newer, ...change }, before);
    const values = errors.map((error) => /^\w+: Invalid value: (.*): field is immutable$/.exec(error)?.[1] ?? error);
    expect(values).toEqual(shown);
  });
  it('prints a count that is left out as zero', async () => {
    const errors = await updateErrors(event, newer, created(event, { ...newer, deprecatedCount: 2 }));
    expect(errors).toEqual(['count: Invalid value: 0: field is immutable']);
  });
  it('reports an unknown type with an empty value', async () => {
    expect(await createErrors(event, { ...newer, type: 'Loud' })).toEqual([
      'type: Invalid value: "": has invalid value: Loud',
    ]);
  });
});

describe('conversion of events', () => {
  it('returns a core event in the newer group, with its field order', () => {
    const shown = fromCoreEvent(
      readBody(coreEvent, {
        kind: 'Event',
        apiVersion: 'v1',
        ...old,
        count: 2,
        source: { component: 'c' },
        reportingComponent: '',
      }),
      'events.k8s.io/v1',
    );
    expect(JSON.stringify(shown)).toBe(
      JSON.stringify({
        kind: 'Event',
        apiVersion: 'events.k8s.io/v1',
        metadata: { name: 'e', namespace: 'n', creationTimestamp: null },
        eventTime: null,
        reason: 'Tested',
        regarding: about,
        note: 'a message',
        type: 'Normal',
        deprecatedSource: { component: 'c' },
        deprecatedFirstTimestamp: null,
        deprecatedLastTimestamp: null,
        deprecatedCount: 2,
      }),
    );
  });
  it('loses nothing in either direction', () => {
    const served = readBody(event, {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      ...newer,
      series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
      related: about,
    });
    expect(fromCoreEvent(toCoreEvent(served), 'events.k8s.io/v1')).toEqual(served);
    expect(event.storedAs?.fromStorage(event.storedAs.toStorage(served, orch), orch)).toEqual({
      ...served,
      apiVersion: 'events.orch.io/v1',
    });
    expect(event.storedAs?.toStorage(served, k8s).apiVersion).toBe('v1');
  });
  it('selects by the stored form', () => {
    const served = readBody(event, newer);
    const fields = event.selectableFields ?? {};
    expect([fields['regarding.name']?.(served), fields.reportingController?.(served), fields.type?.(served)]).toEqual([
      'm',
      'x.org/y',
      'Normal',
    ]);
    expect(coreEvent.selectableFields?.source?.(readBody(coreEvent, { ...old, source: { component: 'c' } }))).toBe('c');
  });
});

describe('the table', () => {
  it.each<[string, object, (string | number)[]]>([
    [
      'with a source and a count',
      {
        ...old,
        firstTimestamp: '2026-01-01T00:04:00Z',
        lastTimestamp: '2026-01-01T00:04:30Z',
        count: 3,
        source: { component: 'c', host: 'h' },
      },
      ['30s', 'Normal', 'Tested', 'configmap/m', '', 'c, h', 'a message', '60s', 3, 'e'],
    ],
    [
      'with a reporting component',
      { ...old, eventTime: '2026-01-01T00:00:00.000000Z', reportingComponent: 'r', reportingInstance: 'i' },
      ['5m', 'Normal', 'Tested', 'configmap/m', '', 'r, i', 'a message', '5m', 1, 'e'],
    ],
    [
      'of a series',
      {
        ...old,
        eventTime: '2026-01-01T00:00:00.000000Z',
        series: { count: 9, lastObservedTime: '2026-01-01T00:04:58.000000Z' },
      },
      ['2s', 'Normal', 'Tested', 'configmap/m', '', '', 'a message', '5m', 9, 'e'],
    ],
    [
      'without any time',
      old,
      ['<unknown>', 'Normal', 'Tested', 'configmap/m', '', '', 'a message', '<unknown>', 1, 'e'],
    ],
  ])('prints an event %s', (_, body, cells) => {
    expect(row(coreEvent, readBody(coreEvent, body), now, true)).toEqual(cells);
  });
  it('is the same in both groups', () => {
    const served = readBody(event, newer);
    expect(row(event, served, now, true)).toEqual(row(coreEvent, toCoreEvent(served), now, true));
  });
});
