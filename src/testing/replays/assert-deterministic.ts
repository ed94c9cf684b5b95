import type { Random } from '../../meta/random.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { systemSignatures } from '../../signatures/system-signatures.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { messageOf } from '../../values/message-of.js';
import { checkFunction, checkSeed, checkServer } from '../check-arguments.js';
import { createFakeRandom } from '../fake-random.js';
import { type InsecureDeterministicServer, insecureDeterministic } from '../insecure-deterministic.js';
import { describeDifference, firstDifference, type ReplayDifference } from './first-difference.js';
import { Transcript } from './transcript.js';

/** One run of the workload that {@link assertDeterministic} repeats. */
export interface Replay {
  /** The seed, which is the same in each run. */
  readonly seed: number;
  /** The options of `insecureDeterministic({ seed })`, created for this run. */
  readonly options: InsecureDeterministicServer;
  /** A random source for the workload itself. It produces the same values in each run. */
  readonly random: Random;
  /**
   * Records the output of a server from this call on: the responses to all requests, including those of its own controllers, the events of
   * each watch, and the objects that are stored when it closes or at the end of the run. A storage that cannot be forked is not read.
   * @returns the server.
   */
  follow<S extends CoreApiServer>(server: S): S;
  /** Records any other output: a string or bytes as they are, other values as JSON. */
  record(name: string, value: unknown): void;
}

/** The options of {@link assertDeterministic}. */
export interface AssertDeterministicOptions {
  /** The seed of all runs. Default 1. */
  readonly seed?: number;
  /** The number of runs, at least 2. Default 3. */
  readonly replays?: number;
}

/** The result of {@link assertDeterministic}: a summary of the output, which is the same in all replays. */
export interface ReplayedWorkload {
  /** The SHA-256 of the output, in hexadecimal. It is the same on every machine, as long as the workload and the library are the same. */
  readonly hash: string;
  /** The number of outputs that were compared: responses, events, stored objects, and those that the workload added with `record`. */
  readonly entries: number;
}

/** The error for a workload whose output differed between two runs. The message names the place of the difference. */
export class NotDeterministicError extends Error {
  override readonly name = 'NotDeterministicError';
  /** The first difference of the replays; undefined if one of them failed. */
  readonly difference: ReplayDifference | undefined;

  constructor(message: string, difference?: ReplayDifference, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.difference = difference;
  }
}

/**
 * Runs a workload several times, and compares every byte of its servers' output. The requests are compared in the order of their arrival,
 * and so are the events of each watch. The order of the events of different watches is not compared.
 * @throws NotDeterministicError that names the first request, event or stored object that differs, with the place of the difference.
 * @throws the error of the first run; TypeError for options out of range.
 */
export async function assertDeterministic(
  run: (replay: Replay) => Promise<unknown>,
  options: AssertDeterministicOptions = {},
): Promise<ReplayedWorkload> {
  checkFunction('assertDeterministic', 'run', run);
  refuseUnknownMembers('assertDeterministic', options, ['seed', 'replays']);
  const { seed = 1, replays = 3 } = options;
  checkSeed('assertDeterministic', seed);
  if (!Number.isSafeInteger(replays) || replays < 2)
    throw new TypeError(`assertDeterministic: replays must be an integer of at least 2, not ${String(replays)}`);
  const first = await replay(run, seed);
  for (let number = 2; number <= replays; number++) {
    const which = `replay ${number} of seed ${seed} differs from the first`;
    let other: Transcript;
    try {
      other = await replay(run, seed);
    } catch (error) {
      throw new NotDeterministicError(`${which}: it fails: ${messageOf(error)}`, undefined, error);
    }
    const difference = firstDifference(first, other);
    if (difference) throw new NotDeterministicError(`${which}: ${describeDifference(difference)}`, difference);
  }
  return await summarize(first);
}

async function replay(run: (replay: Replay) => Promise<unknown>, seed: number): Promise<Transcript> {
  const transcript = new Transcript();
  const followed = new Set<CoreApiServer>();
  try {
    await run({
      seed,
      options: insecureDeterministic({ seed }),
      random: createFakeRandom(seed),
      follow(server) {
        checkServer('follow', server);
        followed.add(server);
        transcript.follow(server);
        return server;
      },
      record: (name, value) => transcript.note(name, textOfValue(value)),
    });
  } finally {
    // Closing a server records its final state. A server that the workload has already closed is not affected.
    for (const server of followed) await server.close();
  }
  return transcript;
}

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return textOfBytes(value);
  return JSON.stringify(value) ?? String(value);
}

/** Decodes bytes without loss: if they are not UTF-8, each byte becomes one character. */
function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

async function summarize({ parts }: Transcript): Promise<ReplayedWorkload> {
  const lines = parts.flatMap(({ noun, source, entries }) => [
    `${noun} ${source}`,
    ...entries.flatMap(({ name, text = '' }) => [name, text]),
  ]);
  const digest = await systemSignatures.digest('SHA-256', new TextEncoder().encode(JSON.stringify(lines)));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { hash, entries: parts.reduce((sum, { entries }) => sum + entries.length, 0) };
}
