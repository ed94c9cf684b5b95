import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../src/audit/audit-event.js';
import type { AuditRecord } from '../../src/audit/audit-record.js';
import { functionSink } from '../../src/audit/audit-sink.js';
import { facts, open, turns } from './open-sinks.js';

/** A function as a sink, which records the ids of the events of each call. */
function collector() {
  const calls: string[][] = [];
  const take = (events: readonly AuditEvent[]) => void calls.push(events.map(({ auditID }) => auditID));
  return { calls, take };
}

describe('a sink in mode batch', () => {
  it('receives its events after a delay, together and in order', async () => {
    const { calls, take } = collector();
    const { record, host } = open([take]);
    for (const id of ['1', '2', '3']) expect(record(id)).toBe(true);
    expect(calls).toEqual([]);
    host.clock.advance(100);
    expect(calls).toEqual([['1', '2', '3']]);
    record('4');
    await turns();
    host.clock.advance(100);
    expect(calls).toEqual([['1', '2', '3'], ['4']]);
  });

  it('receives a batch as soon as it is full', async () => {
    const { calls, take } = collector();
    const { record, host } = open([functionSink(take, { batch: { maxSize: 2 } })]);
    for (const id of ['1', '2', '3']) record(id);
    expect(calls).toEqual([['1', '2']]);
    await turns();
    host.clock.advance(100);
    expect(calls).toEqual([['1', '2'], ['3']]);
  });

  it('receives no more batches per second than configured', async () => {
    const { calls, take } = collector();
    const { record, host } = open([functionSink(take, { batch: { maxSize: 1, throttle: { qps: 1, burst: 2 } } })]);
    for (const id of ['1', '2', '3', '4']) record(id);
    await turns();
    expect(calls).toHaveLength(2);
    host.clock.advance(1000);
    await turns();
    expect(calls).toHaveLength(3);
    host.clock.advance(1000);
    expect(calls).toHaveLength(4);
  });

  it('delays no request if it is slow: events beyond its buffer are dropped and counted', async () => {
    let done = () => {};
    const slow = () => new Promise<void>((resolve) => (done = resolve));
    const { record, counts, host } = open([functionSink(slow, { batch: { maxSize: 1, bufferSize: 2 } })]);
    for (const id of ['1', '2', '3', '4', '5']) expect(record(id)).toBe(true);
    expect(counts['apiserver_audit_error_total buffered']).toBe(2);
    expect(counts['apiserver_audit_event_total']).toBe(5);
    expect(host.lines).toEqual([
      "Error in audit plugin 'buffered' affecting 1 audit events: audit buffer queue blocked",
    ]);
    done();
    await turns();
    record('6');
    expect(counts['apiserver_audit_error_total buffered']).toBe(2);
  });

  it('receives a whole batch even if its buffer is smaller than a batch', async () => {
    const { calls, take } = collector();
    const { record, counts, host } = open([functionSink(take, { batch: { maxSize: 4, bufferSize: 1 } })]);
    for (const id of ['1', '2', '3']) record(id);
    host.clock.advance(100);
    expect(calls).toEqual([['1', '2', '3']]);
    expect(counts['apiserver_audit_error_total buffered']).toBeUndefined();
  });

  it('buffers a bounded number of bytes', () => {
    const never = () => new Promise<void>(() => {});
    const { record, counts } = open([never]);
    const requestObject = `"${'x'.repeat(20 * 1024 * 1024)}"`;
    for (const id of ['1', '2', '3', '4']) record(id, { requestObject });
    expect(counts['apiserver_audit_error_total buffered']).toBe(1);
  });

  it('loses a batch that fails, counts it, and receives the next one', async () => {
    let fails = true;
    const { calls, take } = collector();
    const { record, counts, host } = open([
      (events) => {
        if (fails) throw new Error('disk full');
        take(events);
      },
    ]);
    record('1');
    record('2');
    host.clock.advance(100);
    await turns();
    expect(counts['apiserver_audit_error_total function']).toBe(2);
    expect(host.lines).toEqual(["Error in audit plugin 'function' affecting 2 audit events: disk full"]);
    fails = false;
    record('3');
    host.clock.advance(100);
    expect(calls).toEqual([['3']]);
  });

  it('loses only the events that it rejects if it batches events itself', async () => {
    const written: string[][] = [];
    const gather = () => {
      const ids: string[] = [];
      return {
        add({ event: { auditID } }: AuditRecord) {
          if (auditID === 'bad') throw new Error('cannot be taken');
          ids.push(auditID);
        },
        write: async () => void written.push(ids),
      };
    };
    const { record, counts, host } = open([{ name: 'own', write() {}, gather, batch: { maxSize: 2 } }]);
    for (const id of ['1', 'bad', '2', '3']) expect(record(id)).toBe(true);
    await turns();
    host.clock.advance(100);
    await turns();
    expect(written).toEqual([['1', '2'], ['3']]);
    expect(counts['apiserver_audit_error_total own']).toBe(1);
  });

  it('receives the queued events at the end, and a dead sink is not waited for endlessly', async () => {
    const { calls, take } = collector();
    let fail = (_: Error) => {};
    const slow = () => new Promise<void>((_, reject) => (fail = reject));
    const { trail, record, host, counts } = open([take, functionSink(slow, { batch: { maxSize: 1 } })]);
    record('1');
    record('2');
    const closed = trail.close();
    await turns();
    expect(calls).toEqual([['1', '2']]);
    host.clock.advance(5000);
    await closed;
    // One event waits, and one is being written. Each is counted once, even if the write fails in the end.
    expect(counts['apiserver_audit_error_total buffered']).toBe(2);
    fail(new Error('late'));
    await turns();
    expect(counts['apiserver_audit_error_total function']).toBeUndefined();
  });
});

describe('events that are being delivered', () => {
  const ids = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => String(first + i));

  /** A trail whose sink records which events it receives, and when. */
  function gathered(batch: { readonly maxSize?: number } = {}) {
    const added: string[] = [];
    const gather = () => ({
      add: ({ event }: AuditRecord) => void added.push(event.auditID),
      write: async () => {},
    });
    return { added, ...open([{ gather, write() {}, batch }]) };
  }

  it('are combined with others for a short time', () => {
    const { record, added, host } = gathered();
    for (const id of ids(1, 63)) record(id);
    expect(added).toEqual([]);
    record('64');
    expect(added).toEqual(ids(1, 64));
    record('65');
    host.clock.advance(99);
    expect(added).toHaveLength(64);
    host.clock.advance(1);
    expect(added).toEqual(ids(1, 65));
  });

  it('are queued behind a batch that is being written', async () => {
    const { calls, take } = collector();
    let done = () => {};
    const { record, host } = open([
      (events) => {
        take(events);
        return new Promise<void>((resolve) => (done = resolve));
      },
    ]);
    record('1');
    host.clock.advance(100);
    record('2');
    host.clock.advance(100);
    expect(calls).toEqual([['1']]);
    done();
    await turns();
    expect(calls).toEqual([['1'], ['2']]);
    record('3');
    done();
    await turns();
    host.clock.advance(100);
    expect(calls).toEqual([['1'], ['2'], ['3']]);
  });

  it('are combined into no more than one batch holds', () => {
    const { record, added } = gathered({ maxSize: 3 });
    for (const id of ids(1, 3)) record(id);
    expect(added).toEqual(ids(1, 3));
  });

  it('overtake a large event', () => {
    const { record, added } = gathered();
    record('1');
    record('2', { requestObject: `"${'x'.repeat(5000)}"` });
    expect(added).toEqual(['1', '2']);
  });

  it('are sent to all sinks at once if a request waits for one', async () => {
    const { calls, take } = collector();
    const { record, host } = open([{ mode: 'blocking', write: async () => {} }, take]);
    expect(await record('1')).toBe(true);
    host.clock.advance(100);
    expect(calls).toEqual([['1']]);
  });

  it('are counted when the metrics are read', () => {
    const { record, counts, settle } = gathered();
    record('1');
    record('2');
    expect(counts['apiserver_audit_event_total']).toBeUndefined();
    settle();
    expect(counts['apiserver_audit_event_total']).toBe(2);
    record('3');
    settle();
    expect(counts['apiserver_audit_event_total']).toBe(3);
  });

  it('contain what was known when they were created', () => {
    const lines: string[] = [];
    const gather = () => ({ add: ({ line }: AuditRecord) => void lines.push(line), write: async () => {} });
    const { trail, host } = open([{ gather, write() {} }]);
    const changing = { ...facts('1') };
    trail.record(changing, 'RequestReceived');
    Object.assign(changing, { responseStatus: { code: 200 }, impersonatedUser: { username: 'other' } });
    host.clock.advance(50);
    trail.record(changing, 'ResponseComplete');
    host.clock.advance(50);
    const [received, complete] = lines.map((line) => JSON.parse(line) as AuditEvent);
    expect(received?.responseStatus).toBeUndefined();
    expect(received?.impersonatedUser).toBeUndefined();
    expect(complete).toMatchObject({ responseStatus: { code: 200 }, impersonatedUser: { username: 'other' } });
    expect(complete?.stageTimestamp).not.toBe(received?.stageTimestamp);
  });
});

describe('a sink that blocks', () => {
  it('is waited for, and loses what it cannot write', async () => {
    let done: (error?: Error) => void = () => {};
    const write = () =>
      new Promise<void>((resolve, reject) => {
        done = (error) => (error ? reject(error) : resolve());
      });
    const { record, counts } = open([{ name: 'log', mode: 'blocking', write }]);
    const written = record('1');
    expect(written).toBeInstanceOf(Promise);
    done();
    expect(await written).toBe(true);
    const lost = record('2');
    done(new Error('disk full'));
    expect(await lost).toBe(true);
    expect(counts['apiserver_audit_error_total log']).toBe(1);
  });

  it('makes the request fail if it is strict', async () => {
    const fails = async () => {
      throw new Error('disk full');
    };
    const { record } = open([{ name: 'log', mode: 'blocking-strict', write: fails }]);
    expect(await record('1')).toBe(false);
  });

  it('does not delay the events of other sinks', async () => {
    const { calls, take } = collector();
    const fails = () => Promise.reject(new Error('gone'));
    const { record, host } = open([{ mode: 'blocking-strict', write: fails }, take]);
    expect(await record('1')).toBe(false);
    host.clock.advance(100);
    expect(calls).toEqual([['1']]);
  });
});

describe('the size limits of a sink', () => {
  it('count the events that they drop', async () => {
    const { calls, take } = collector();
    const { record, counts, host } = open([functionSink(take, { truncate: { maxEventSize: 200 } })]);
    record('1'.repeat(1000));
    record('2');
    host.clock.advance(100);
    expect(calls).toEqual([]);
    expect(counts['apiserver_audit_error_total truncate']).toBe(2);
    record('3', { user: undefined });
    expect(host.lines[0]).toContain('event is too large even after truncating');
  });
});
