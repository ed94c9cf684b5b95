import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { systemClock } from '../../meta/clock.js';
import type { Metrics } from '../../metrics/metrics.js';
import { messageOf } from '../../values/message-of.js';
import { readTextFile } from '../files.js';
import { type Configured, countReloads } from './reload-metrics.js';

/** However a file is replaced, it is looked at this often. */
const POLL = 60_000;
/** Writers do several things to a file in a row. */
const QUIET = 100;

export interface FollowedFile {
  /** What metrics count its changes for; nothing when absent. */
  readonly configures?: Configured;
  readonly path: string;
  /** What is in force. */
  readonly text: string;
  /** Takes a new text; what it throws is logged, and the same text is not offered again. */
  take(text: string): Promise<void>;
  log(message: string): void;
}

/** Reads a file again when it changes, and every minute (spec 11.18, 12.13). @returns what ends it. */
export function followFile({ configures, path, text, take, log }: FollowedFile, metrics?: Metrics): () => void {
  const count = configures && metrics ? countReloads(metrics, configures) : () => undefined;
  // What a server begins with counts for one of the two, as upstream has it.
  if (configures === 'authorization') count(true);
  let seen = text;
  let ended = false;
  let looking = Promise.resolve();
  let cancelPoll = () => {};
  let cancelQuiet = () => {};

  async function look(): Promise<void> {
    if (ended) return;
    try {
      const now = await readTextFile(path);
      if (ended || now === seen) return;
      seen = now;
      await take(now);
      count(true);
      log(`configuration ${path}: in force`);
    } catch (error) {
      count(false);
      log(`configuration ${path}: not taken over, the old one stays in force: ${messageOf(error)}`);
    }
  }
  /** One look after the other. */
  function lookNext(): void {
    looking = looking.then(look);
  }
  function poll(): void {
    cancelPoll = systemClock.setTimer(() => {
      lookNext();
      poll();
    }, POLL);
  }
  function changed(name: string | null): void {
    if (name !== null && name !== basename(path)) return;
    cancelQuiet();
    cancelQuiet = systemClock.setTimer(lookNext, QUIET);
  }
  // The folder: a file that is put in its place by renaming is another one.
  const watcher = startWatching(dirname(path), changed, log);
  poll();
  lookNext();
  return () => {
    ended = true;
    cancelPoll();
    cancelQuiet();
    watcher?.close();
  };
}

function startWatching(folder: string, changed: (name: string | null) => void, log: (message: string) => void) {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => changed(name));
    watcher.on('error', (error) => log(`configuration in ${folder}: watched by polling only: ${error.message}`));
    return watcher;
  } catch (error) {
    log(`configuration in ${folder}: watched by polling only: ${messageOf(error)}`);
    return undefined;
  }
}
