import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { systemClock } from '../../meta/clock.js';
import { counter, gauge } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import { messageOf } from '../../values/message-of.js';
import { readTextFile } from '../files.js';

/** Milliseconds between periodic reads of the file, which detect changes that the watcher misses. */
const POLL = 60_000;
/** Milliseconds without a change before the file is read, because writers often change a file several times in a row. */
const QUIET = 100;

export interface FollowedFile {
  /** The configuration whose reloads are counted in the metrics. Default: they are not counted. */
  readonly configures?: Configured;
  readonly path: string;
  /** The content that is in use already. Only a different content is passed to `take`. */
  readonly text: string;
  /** Applies a changed content. An error is logged, and the same content is not passed again. */
  take(text: string): Promise<void>;
  log(message: string): void;
}

/** Reads a file again when it changes, and every minute (spec 11.18, 12.13). @returns a function that stops reading it. */
export function followFile({ configures, path, text, take, log }: FollowedFile, metrics?: Metrics): () => void {
  const count = configures && metrics ? countReloads(metrics, configures) : () => undefined;
  // Upstream counts the first load of the authorization configuration as a reload, but not the first load of the authentication
  // configuration.
  if (configures === 'authorization') count(true);
  let seen = text;
  let ended = false;
  let looking = Promise.resolve();
  let cancelPoll = () => {};
  let cancelQuiet = () => {};

  async function checkFile(): Promise<void> {
    if (ended) return;
    try {
      const content = await readTextFile(path);
      if (ended || content === seen) return;
      seen = content;
      await take(content);
      count(true);
      log(`configuration ${path}: the changed file is in force`);
    } catch (error) {
      count(false);
      log(
        `configuration ${path}: the changed file is invalid, and the previous configuration stays in force: ${messageOf(error)}`,
      );
    }
  }
  /** Queues a read of the file. Each read begins after the previous one, so reads do not overlap. */
  function queueCheck(): void {
    looking = looking.then(checkFile);
  }
  function poll(): void {
    cancelPoll = systemClock.setTimer(() => {
      queueCheck();
      poll();
    }, POLL);
  }
  function changed(name: string | null): void {
    if (name !== null && name !== basename(path)) return;
    cancelQuiet();
    cancelQuiet = systemClock.setTimer(queueCheck, QUIET);
  }
  // The folder is watched instead of the file, because a watch on the file would not see the new file after a replacement by renaming.
  const watcher = startWatching(dirname(path), changed, log);
  poll();
  queueCheck();
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
    watcher.on('error', (error) =>
      log(
        `configuration in ${folder}: file events are not available, so that changes are found only by polling: ${error.message}`,
      ),
    );
    return watcher;
  } catch (error) {
    log(
      `configuration in ${folder}: file events are not available, so that changes are found only by polling: ${messageOf(error)}`,
    );
    return undefined;
  }
}

/** The configurations whose reloads are counted in the metrics. */
export type Configured = 'authentication' | 'authorization' | 'encryption';

function familiesOf(configured: Configured) {
  if (configured === 'encryption') return encryptionFamilies();
  const prefix = `apiserver_${configured}_config_controller_automatic_reload`;
  const labels = ['status', 'apiserver_id_hash'];
  const split = `of ${configured} configuration split by status and apiserver identity.`;
  return {
    older: undefined,
    reloads: counter(`${prefix}s_total`, `Total number of automatic reloads ${split}`, labels),
    last: gauge(`${prefix}_last_timestamp_seconds`, `Timestamp of the last automatic reload ${split}`, labels),
  };
}

/**
 * Returns the metric families for the encryption configuration. Upstream introduced them earlier than the families for the other
 * configuration files, so there are also deprecated counters, and the help texts are different.
 */
function encryptionFamilies() {
  const prefix = 'apiserver_encryption_config_controller_automatic_reload';
  const labels = ['status', 'apiserver_id_hash'] as const;
  const split = 'of encryption configuration split by apiserver identity.';
  const older = (name: string, result: string) =>
    counter(`${prefix}_${name}_total`, `Total number of ${result} automatic reloads ${split}`, [labels[1]], {
      deprecatedIn: '1.30',
    });
  return {
    older: { success: older('success', 'successful'), failure: older('failures', 'failed') },
    reloads: counter(`${prefix}s_total`, `Total number of reload successes and failures ${split}`, labels),
    last: gauge(
      `${prefix}_last_timestamp_seconds`,
      `Timestamp of the last successful or failed automatic reload ${split}`,
      labels,
    ),
  };
}

/** Counts successful and failed reloads of a configuration file. @returns a function to call after each attempt. */
export function countReloads(metrics: Metrics, configured: Configured): (isTaken: boolean) => void {
  const { reloads, last, older } = familiesOf(configured);
  const identity = `sha256:${createHash('sha256').update(`apiserver-${hostname()}`).digest('hex')}`;
  return (isTaken) => {
    const status = isTaken ? 'success' : 'failure';
    const labels = [status, identity];
    metrics.add(reloads, labels);
    if (older) metrics.add(older[status], [identity]);
    metrics.set(last, labels, systemClock.now() / 1000);
  };
}
