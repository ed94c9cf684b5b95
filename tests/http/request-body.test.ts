import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { requestBody } from '../../src/http/bodies/request-body.js';
import { until } from './exchange.js';

/** A body that the test writes, and its reader. */
function bodyOf(announced = Number.NaN) {
  const source = new PassThrough();
  // Only the readable side of a request is used.
  const body = requestBody(source as unknown as IncomingMessage, announced);
  if (body.type !== 'bytes') throw new Error('bytes expected');
  return { source, body };
}

describe('requestBody', () => {
  it.each([
    [['abc'], 3, 'abc'],
    [['ab', 'c'], 3, 'abc'],
    [[], 3, ''],
    [['ab', 'cd'], 3, 'tooLarge'],
    [['a'], 0, 'tooLarge'],
  ])('%j with a limit of %i: %s', async (parts, limit, expected) => {
    const { source, body } = bodyOf();
    for (const part of parts) source.write(part);
    source.end();
    const got = await body.read(limit);
    expect(got === 'tooLarge' ? got : Buffer.from(got).toString()).toBe(expected);
    if (got !== 'tooLarge') expect(Object.getPrototypeOf(got)).toBe(Uint8Array.prototype);
  });

  it('resolves at once if the body arrived with its head, and ends the request', async () => {
    const { source, body } = bodyOf(3);
    source.end('abc');
    const got = await body.read(3);
    expect(Buffer.from(got as Uint8Array).toString()).toBe('abc');
    expect(Object.getPrototypeOf(got)).toBe(Uint8Array.prototype);
    await until(() => source.readableEnded);
  });

  it('returns a body that arrived with its head without a promise, once', async () => {
    const { source, body } = bodyOf(3);
    expect(body.arrived?.(3)).toBeUndefined();
    source.end('abc');
    expect(body.arrived?.(2)).toBeUndefined();
    const got = body.arrived?.(3);
    expect(Buffer.from(got as Uint8Array).toString()).toBe('abc');
    expect(body.arrived?.(3)).toBeUndefined();
    await expect(body.read(3)).rejects.toThrow('only once');
  });

  it('has not arrived if its connection broke, its length is unknown, or it was read before', async () => {
    const broken = bodyOf(3);
    broken.source.write('abc');
    broken.source.destroy();
    expect(broken.body.arrived?.(3)).toBeUndefined();
    const chunked = bodyOf();
    chunked.source.end('abc');
    expect(chunked.body.arrived?.(3)).toBeUndefined();
    const readBefore = bodyOf(3);
    readBefore.source.end('abc');
    readBefore.source.resume();
    await until(() => readBefore.source.readableEnded);
    expect(readBefore.body.arrived?.(3)).toBeUndefined();
  });

  it('does not wait for a body announced as too large', async () => {
    const { source, body } = bodyOf(1001);
    expect(await body.read(1000)).toBe('tooLarge');
    expect(source.readableFlowing).toBe(null);
  });

  it('keeps nothing of what follows the limit', async () => {
    const { source, body } = bodyOf();
    const read = body.read(10);
    source.write('x'.repeat(11));
    expect(await read).toBe('tooLarge');
    for (let i = 0; i < 100; i++) source.write('x'.repeat(10_000));
    await until(() => source.readableLength + source.writableLength === 0);
  });

  it('gives up a body of very many small chunks', async () => {
    const { source, body } = bodyOf();
    const read = body.read(1_000_000);
    read.catch(() => undefined);
    for (let i = 0; i < 100_000; i++) source.write('x');
    await until(() => source.readableLength + source.writableLength === 0);
    source.write('x');
    await expect(read).rejects.toMatchObject({
      code: 400,
      message: 'the body of the request comes in more than 100000 chunks',
    });
    const { source: whole, body: other } = bodyOf();
    const all = other.read(1_000_000);
    for (let i = 0; i < 100_000; i++) whole.write('x');
    whole.end();
    expect(await all).toHaveLength(100_000);
  });

  it('rejects for a broken body, before and while it is read', async () => {
    const { source, body } = bodyOf(10);
    const read = body.read(100);
    source.destroy(new Error('reset'));
    await expect(read).rejects.toMatchObject({ name: 'CallerGoneError' });
    const other = bodyOf(10);
    other.source.destroy();
    await expect(other.body.read(100)).rejects.toMatchObject({ name: 'CallerGoneError' });
  });
});
