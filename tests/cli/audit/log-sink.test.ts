import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../../src/audit/audit-record.js';
import { LineGatherer, logSink } from '../../../src/cli/audit/log-sink.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An event of which only the line is used. */
const record = (line: string): AuditRecord => ({ line, weight: line.length }) as Partial<AuditRecord> as AuditRecord;
const host = createFakeHost();
const open = () => logSink(join(folder, 'audit.log'), parseFlags([]).values, undefined, () => {});
const written = () => readFile(join(folder, 'audit.log'), 'utf8');

describe('lines of a log', () => {
  it('are written complete and in order, whatever their number, length and characters', async () => {
    const sink = await open();
    const lines = Array.from(
      { length: 3000 },
      (_, i) => `{"n":${i},"text":"${'é'.repeat(i % 7)}${'x'.repeat(i % 300)}"}`,
    );
    lines.splice(1000, 0, '漢'.repeat(200_000));
    lines.push('𝄞'.repeat(100_000), 'the last');
    const batch = sink.gather?.();
    for (const line of lines) batch?.add(record(line));
    await batch?.write();
    await sink.close?.(host);
    expect(await written()).toBe(`${lines.join('\n')}\n`);
  });

  it('of waiting requests are written together with other waiting lines', async () => {
    const sink = await open();
    const ids = Array.from({ length: 200 }, (_, i) => String(i));
    await Promise.all(ids.map(async (id) => await sink.write([record(id)], host)));
    await sink.close?.(host);
    expect(await written()).toBe(`${ids.join('\n')}\n`);
  });

  it('are not overwritten by the next batch while they are being written', async () => {
    const texts: string[] = [];
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    const gatherer = new LineGatherer(
      ({ line }) => line,
      async (blocks) => {
        await waits;
        texts.push(Buffer.concat(blocks).toString());
      },
    );
    const [first, second] = [gatherer.open(), gatherer.open()];
    first.add(record('first'));
    const one = first.write();
    second.add(record('second'));
    const other = second.write();
    goOn();
    await Promise.all([one, other]);
    const third = gatherer.open();
    third.add(record('third'));
    await third.write();
    expect(texts).toEqual(['first\n', 'second\n', 'third\n']);
  });
});
