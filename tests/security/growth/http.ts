import { ChunkQueue } from '../../../src/http/bodies/body-pump.js';
import { chunkFraming } from '../../../src/http/bodies/stream-pump.js';
import { NodeHeaders, parseTarget } from '../../../src/http/node-request.js';
import type { GrowthRow } from './measure.js';

const times = (n: number, run: () => unknown) => () => {
  for (let i = 0; i < n; i++) run();
};

/** Rows for the readers of request heads and the writers of responses. */
export const rows: readonly GrowthRow[] = [
  { name: 'target of slashes', n: 200_000, prepare: (n) => times(20, () => parseTarget(`${'/'.repeat(n)}x`)) },
  { name: 'target of escapes', n: 400_000, prepare: escapes },
  { name: 'target of bytes', n: 10_000, prepare: (n) => times(2, () => parseTarget(`/${'\xc3'.repeat(n)}`)) },
  { name: 'scheme without an end', n: 200_000, prepare: (n) => times(10, () => parseTarget('a'.repeat(n))) },
  { name: 'authority of colons', n: 200_000, prepare: (n) => times(10, () => parseTarget(`http://${':'.repeat(n)}`)) },
  { name: 'a value that is not ASCII', n: 100_000, prepare: (n) => times(10, () => headers('x', n).get('x')) },
  { name: 'names of a prefix', n: 5_000, prepare: manyNames },
  { name: 'values of one name', n: 20_000, prepare: manyValues },
  { name: 'small chunks', n: 20_000, prepare: chunks },
  { name: 'a large chunk', n: 200_000, prepare: largeChunk },
];

const headers = (name: string, n: number) => new NodeHeaders([name, '\xc3\xa9'.repeat(n)]);

function escapes(n: number) {
  const target = `/${'%41'.repeat(n)}%zz`;
  return () => parseTarget(target);
}

function manyNames(n: number) {
  const many = new NodeHeaders(Array.from({ length: n }, (_, i) => [`Impersonate-Extra-${i}`, 'a']).flat());
  return () => many.names('impersonate-extra-');
}

function manyValues(n: number) {
  const many = new NodeHeaders(Array.from({ length: n }, () => ['X-Remote-Group', 'a']).flat());
  return () => many.all('x-remote-group');
}

function chunks(n: number) {
  const small = Array.from({ length: n }, () => new Uint8Array(20));
  return () => drain(small);
}

function largeChunk(n: number) {
  const large = [new Uint8Array(n)];
  return times(4, () => drain(large));
}

function drain(chunks: readonly Uint8Array[]): void {
  const queue = new ChunkQueue();
  queue.fill(chunks);
  for (let slice = queue.next(65_536); slice; slice = queue.next(65_536)) chunkFraming.frame(slice);
}
