import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FollowedFile, followFile } from '../../../src/cli/configuration/follow-file.js';
import { systemClock } from '../../../src/meta/clock.js';
import { MetricRecorder } from '../../../src/metrics/metric-recorder.js';

let folder: string;
let stop = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'follow-'));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Follows a file with the content `first`. */
function follow(path: string, take: (text: string) => Promise<void> = async () => {}) {
  const taken: string[] = [];
  const lines: string[] = [];
  const recorder = new MetricRecorder({ release: { major: '1', minor: '31' }, now: () => 0 });
  const file: FollowedFile = {
    configures: 'authentication',
    path,
    text: 'first',
    log: (line) => void lines.push(line.replaceAll(folder, '')),
    async take(text) {
      taken.push(text);
      await take(text);
    },
  };
  stop = followFile(file, recorder);
  const reloads = () => {
    const found = recorder
      .snapshot()
      .find(({ name }) => name === 'apiserver_authentication_config_controller_automatic_reloads_total');
    return found?.samples.map(({ labels, value }) => `${labels['status']}: ${value}`);
  };
  return { taken, lines, reloads };
}

describe('a configuration file that is followed', () => {
  it('is checked every 60 seconds, whatever events the folder sends', () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'first');
    const setTimer = vi.spyOn(systemClock, 'setTimer').mockReturnValue(() => {});
    follow(file);
    expect(setTimer.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([60_000]);
    setTimer.mockRestore();
  });

  it('is read when it is written, and when another file replaces it', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'first');
    const { taken, lines } = follow(file);
    writeFileSync(file, 'second');
    await expect.poll(() => taken).toEqual(['second']);
    writeFileSync(`${file}.new`, 'third');
    renameSync(`${file}.new`, file);
    await expect.poll(() => taken).toEqual(['second', 'third']);
    await expect.poll(() => lines).toEqual(Array(2).fill('configuration /a.yaml: the changed file is in force'));
  });

  it('is followed through symbolic links in the folder, as in mounted volumes', async () => {
    for (const [name, text] of Object.entries({ one: 'first', two: 'second' })) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'a.yaml'), text);
    }
    const file = join(folder, 'a.yaml');
    symlinkSync('one/a.yaml', file);
    const { taken } = follow(file);
    symlinkSync('two/a.yaml', `${file}.new`);
    renameSync(`${file}.new`, file);
    await expect.poll(() => taken).toEqual(['second']);
  });

  it('that changed before it was first watched is read at once', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'second');
    const { taken } = follow(file);
    await expect.poll(() => taken).toEqual(['second']);
  });

  it('keeps the old configuration in force if it is invalid or missing, and reports it; the next valid one is applied', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'first');
    const { taken, lines, reloads } = follow(file, async (text) => {
      if (text === 'bad') throw new Error('it is bad');
    });
    writeFileSync(file, 'bad');
    await expect
      .poll(() => lines)
      .toEqual([
        'configuration /a.yaml: the changed file is invalid, and the previous configuration stays in force: it is bad',
      ]);
    rmSync(file);
    await expect.poll(() => lines.at(-1)).toContain('open /a.yaml: no such file or directory');
    writeFileSync(file, 'good');
    await expect.poll(() => taken).toEqual(['bad', 'good']);
    expect(reloads()?.[0]).toMatch(/^failure: \d$/);
    await expect.poll(() => reloads()).toContain('success: 1');
  });

  it('is read once for several writes in a row, and changes are applied one after another', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'first');
    let running = 0;
    const { taken } = follow(file, async () => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      running--;
    });
    for (let i = 0; i < 20; i++) writeFileSync(file, `text ${i}`);
    await expect.poll(() => taken.at(-1)).toBe('text 19');
    expect(taken.length).toBeLessThan(5);
    writeFileSync(file, 'more');
    await expect.poll(() => taken.at(-1)).toBe('more');
    await expect.poll(() => running).toBe(0);
  });

  it('is not read after the end of the server', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, 'first');
    const { taken } = follow(file);
    stop();
    writeFileSync(file, 'second');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(taken).toEqual([]);
  });
});
