import { describe, expect, it } from 'vitest';
import { Annotations } from '../../src/audit/annotations.js';
import type { AuditFacts } from '../../src/audit/audit-facts.js';
import { recordStage } from '../../src/audit/audit-record.js';
import { legacyLine } from '../../src/audit/legacy-line.js';
import { truncateRecords } from '../../src/audit/sink-runner.js';
import { sourceAddresses } from '../../src/audit/source-addresses.js';
import { headersOf } from '../../src/meta/request-headers.js';

const facts: AuditFacts = {
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID: 'id-1',
  requestURI: '/api/v1/namespaces/a/configmaps',
  verb: 'create',
  user: { username: 'jane', groups: ['dev', 'ops'] },
  impersonatedUser: undefined,
  sourceIPs: ['10.0.0.1'],
  userAgent: 'me/1',
  objectRef: { resource: 'configmaps', namespace: 'a', version: 'v1', group: '', name: '', subresource: '' },
  responseStatus: { metadata: {}, code: 201 },
  requestObject: '{"kind":"ConfigMap"}',
  responseObject: '{"kind":"ConfigMap","data":{}}',
  received: Date.parse('2024-01-01T00:00:00.500Z'),
  annotations: Annotations.none.with('z.io/b', '2').with('a.io/a', '1'),
};
const NOW = Date.parse('2024-01-01T00:00:01Z');
const record = (given: Partial<AuditFacts> = {}) => recordStage({ ...facts, ...given }, 'ResponseComplete', NOW);

describe('the JSON of an event', () => {
  it('has its fields in the order of the wire, annotations sorted by key, and times with six digits', () => {
    const { line, item, event } = record();
    expect(Object.keys(event)).toEqual([
      'kind',
      'apiVersion',
      'level',
      'auditID',
      'stage',
      'requestURI',
      'verb',
      'user',
      'sourceIPs',
      'userAgent',
      'objectRef',
      'responseStatus',
      'requestObject',
      'responseObject',
      'requestReceivedTimestamp',
      'stageTimestamp',
      'annotations',
    ]);
    expect(line).toBe(JSON.stringify(event));
    expect(Object.keys(event.annotations ?? {})).toEqual(['a.io/a', 'z.io/b']);
    expect(event.requestReceivedTimestamp).toBe('2024-01-01T00:00:00.500000Z');
    const { kind: _kind, apiVersion: _version, ...rest } = event;
    expect(JSON.parse(item)).toEqual(rest);
  });

  it('leaves out absent fields', () => {
    const { event } = record({
      user: undefined,
      sourceIPs: [],
      userAgent: '',
      objectRef: undefined,
      responseStatus: undefined,
      requestObject: undefined,
      responseObject: undefined,
      annotations: undefined,
    });
    expect(Object.keys(event)).toEqual([
      'kind',
      'apiVersion',
      'level',
      'auditID',
      'stage',
      'requestURI',
      'verb',
      'user',
      'requestReceivedTimestamp',
      'stageTimestamp',
    ]);
    expect(event.user).toEqual({});
  });

  it('is one line whatever callers send', () => {
    const odd = 'a\nb\u0000\u2028"\\\u001b[31m</script>\ud800';
    const { line, event } = record({
      auditID: odd,
      requestURI: odd,
      userAgent: odd,
      user: { username: odd, groups: [odd], extra: { [odd]: [odd] } },
      annotations: Annotations.none.with(odd, odd),
    });
    expect(line).not.toMatch(/[\n\r\0\u001b\u2028]/);
    expect(event.userAgent).toBe(odd);
    expect(legacyLine(event)).not.toMatch(/[\n\r\0\u001b\u2028]/);
  });

  it('names the caller, however often the same request is repeated', () => {
    const user = Object.freeze({ username: 'jane' });
    const sourceIPs = Object.freeze(['10.0.0.1']);
    const asked = { user, sourceIPs, refersByUri: true };
    const one = record(asked).event;
    expect(record(asked).event).toEqual(one);
    expect(record({ ...asked, user: Object.freeze({ username: 'joe' }) }).event.user).toEqual({ username: 'joe' });
    expect(record({ ...asked, verb: 'list' }).event.verb).toBe('list');
    expect(record({ ...asked, userAgent: 'you/2' }).event.userAgent).toBe('you/2');
    expect(record({ ...asked, sourceIPs: ['10.0.0.2'] }).event.sourceIPs).toEqual(['10.0.0.2']);
    expect(record({ ...asked, impersonatedUser: user }).event.impersonatedUser).toEqual(user);
    expect(record(asked).event).toEqual(one);
  });

  it('has times with milliseconds, within a second and across seconds', () => {
    const times = [0, 7, 42, 999, 1000, 60_001].map(
      (at) => recordStage({ ...facts }, 'Panic', NOW + at).event.stageTimestamp,
    );
    expect(times).toEqual(
      ['01.000', '01.007', '01.042', '01.999', '02.000', '01.001'].map(
        (each, i) => `2024-01-01T00:0${i === 5 ? 1 : 0}:${each}000Z`,
      ),
    );
  });

  it('does not change when the objects it was made from do', () => {
    const annotations = Annotations.none.with('a.io/a', '1');
    const made = record({ annotations });
    annotations.with('b.io/b', '2');
    expect(made.event.annotations).toEqual({ 'a.io/a': '1' });
  });
});

describe('the object reference of an event', () => {
  const none = { resource: '', namespace: '', name: '', group: '', version: '', subresource: '' };
  it.each([
    [
      { resource: 'pods', namespace: 'a', name: 'x', version: 'v1' },
      { resource: 'pods', namespace: 'a', name: 'x', apiVersion: 'v1' },
    ],
    [
      { resource: 'pods', namespace: 'b', version: 'v1' },
      { resource: 'pods', namespace: 'b', apiVersion: 'v1' },
    ],
    [
      { resource: 'pods', version: 'v1' },
      { resource: 'pods', apiVersion: 'v1' },
    ],
    [
      { resource: 'pods', namespace: 'a', name: 'x', version: 'v1', subresource: 'log' },
      { resource: 'pods', namespace: 'a', name: 'x', apiVersion: 'v1', subresource: 'log' },
    ],
    [
      {
        resource: 'pods',
        namespace: 'a',
        name: 'x',
        group: 'g',
        version: 'v1',
        uid: 'u',
        resourceVersion: '7',
        subresource: 's',
      },
      {
        resource: 'pods',
        namespace: 'a',
        name: 'x',
        uid: 'u',
        apiGroup: 'g',
        apiVersion: 'v1',
        resourceVersion: '7',
        subresource: 's',
      },
    ],
    [
      { resource: 'p"', name: '\n' },
      { resource: 'p"', name: '\n' },
    ],
    [
      { name: 'x', uid: 'u' },
      { name: 'x', uid: 'u' },
    ],
    [{ namespace: 'a' }, { namespace: 'a' }],
    [{}, {}],
  ])('%j', (given, expected) => {
    for (let time = 0; time < 2; time++) {
      const { objectRef } = record({ objectRef: { ...none, ...given } }).event;
      expect(objectRef).toEqual(expected);
      expect(Object.keys(objectRef ?? {})).toEqual(Object.keys(expected));
    }
  });
});

describe('the legacy format', () => {
  it('names the action, its user and the impersonated user', () => {
    const { event } = record({ impersonatedUser: { username: 'joe', groups: ['g'] } });
    expect(legacyLine(event)).toBe(
      '2024-01-01T00:00:00.5Z AUDIT: id="id-1" stage="ResponseComplete" ip="10.0.0.1" method="create" user="jane" ' +
        'groups="\\"dev\\",\\"ops\\"" as="joe" asgroups="\\"g\\"" user-agent="me/1" namespace="a" ' +
        'uri="/api/v1/namespaces/a/configmaps" response="201"',
    );
  });

  it('has placeholders for unknown values', () => {
    const nobody = { user: undefined, objectRef: undefined, responseStatus: undefined, sourceIPs: [] };
    expect(legacyLine(record(nobody).event)).toContain(
      'ip="<unknown>" method="create" user="<none>" groups="<none>" as="<self>" asgroups="<lookup>" user-agent="me/1" namespace="<none>"',
    );
    expect(legacyLine(record(nobody).event)).toContain('response="<deferred>"');
  });
});

describe('the size limits of events', () => {
  const large = `{"data":"${'x'.repeat(3 * 1024 * 1024)}"}`;

  it('drop the objects of an event that is too large, and mark it', () => {
    const { parts, lost } = truncateRecords([record({ requestObject: large, responseObject: large })], {});
    const [kept] = parts.flat();
    expect(lost).toBe(0);
    expect(kept?.event).not.toHaveProperty('requestObject');
    expect(kept?.event).not.toHaveProperty('responseObject');
    expect(kept?.event.annotations).toMatchObject({ 'audit.k8s.io/truncated': 'true', 'a.io/a': '1' });
    expect(kept?.size).toBeLessThan(1024);
  });

  it('count the newline', () => {
    const { size } = record();
    expect(size).toBe(record().line.length + 1);
    const [same] = truncateRecords([record()], { maxEventSize: size }).parts.flat();
    expect(same?.event.annotations).not.toHaveProperty('audit.k8s.io/truncated');
    expect(truncateRecords([record()], { maxEventSize: size - 1 })).not.toMatchObject({ parts: [[same]] });
  });

  it('drop an event that is too large even without its objects', () => {
    const userAgent = 'ü'.repeat(60_000); // bytes count, not characters
    expect(truncateRecords([record({ userAgent }), record()], {})).toMatchObject({ lost: 1, parts: [[{}]] });
  });

  it('combine as many events as one write may contain', () => {
    const { size } = record();
    const { parts } = truncateRecords([record(), record(), record()], { maxBatchSize: size * 2 });
    expect(parts.map(({ length }) => length)).toEqual([2, 1]);
  });

  it('do not change events without objects', () => {
    const records = [record({ level: 'Metadata', requestObject: undefined, responseObject: undefined })];
    expect(truncateRecords(records, { maxEventSize: 100_000 }).parts.flat()).toEqual(records);
  });
});

describe('the source of a request', () => {
  const from = (headers: Record<string, string>, remote: string | undefined = '127.0.0.1') =>
    sourceAddresses(headersOf(headers), remote);
  const table: readonly (readonly [what: string, Record<string, string>, string | undefined, readonly string[]])[] = [
    ['the connection', {}, '10.0.0.1', ['10.0.0.1']],
    ['proxies first', { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' }, '10.0.0.1', ['1.1.1.1', '2.2.2.2', '10.0.0.1']],
    ['no words', { 'x-forwarded-for': 'unknown, 2.2.2.2', 'x-real-ip': 'me' }, '10.0.0.1', ['2.2.2.2', '10.0.0.1']],
    ['the real one once', { 'x-forwarded-for': '1.1.1.1', 'x-real-ip': '1.1.1.1' }, '9.9.9.9', ['1.1.1.1', '9.9.9.9']],
    ['the last one once', { 'x-real-ip': '10.0.0.1' }, '10.0.0.1', ['10.0.0.1']],
    ['numbers with leading zeros', { 'x-forwarded-for': '010.001.0.08' }, '9.9.9.9', ['10.1.0.8', '9.9.9.9']],
    ['IPv4 in IPv6', {}, '::ffff:10.0.0.1', ['10.0.0.1']],
    ['IPv6 in its short form', {}, '2001:DB8:0:0:0:0:0:1', ['2001:db8::1']],
  ];
  for (const [what, headers, remote, expected] of table)
    it(`names ${what}`, () => expect(from(headers, remote)).toEqual(expected));

  it('is bounded, and absent for requests in process', () => {
    expect(sourceAddresses(headersOf(), undefined)).toEqual([]);
    expect(from({ 'x-forwarded-for': '1.1.1.1,'.repeat(50_000) }).length).toBeLessThanOrEqual(101);
  });
});

describe('annotations', () => {
  it('keep the first value of a key, whichever sets are added', () => {
    const one = Annotations.none.with('a.io/a', '1');
    const two = one.with('b.io/b', '2');
    expect(one.with('a.io/a', 'other')).toBe(one);
    expect(two.with('b.io/b', 'other')).toBe(two);
    expect(two.last).toBe(',"annotations":{"a.io/a":"1","b.io/b":"2"}}');
    expect(one.last).toBe(',"annotations":{"a.io/a":"1"}}');
    expect(Annotations.none.last).toBe('}');
  });

  it('can be added in any order of their keys with the same result', () => {
    const made = () => Annotations.none.with('b.io/b', '2').with('a.io/a', '1');
    expect(made()).toBe(made());
    expect(made().last).toBe(Annotations.none.with('a.io/a', '1').with('b.io/b', '2').last);
  });

  it('are correct for any number of keys', () => {
    for (let i = 0; i < 10_000; i++) {
      const each = Annotations.none.with('a.io/reason', `r${i}`).with('a.io/then', 'x');
      if (each.last !== `,"annotations":{"a.io/reason":"r${i}","a.io/then":"x"}}`) expect(each.last).toBe(i);
    }
    const long = 'x'.repeat(1000);
    expect(Annotations.none.with('a', long).last).toBe(`,"annotations":{"a":"${long}"}}`);
  });
});
