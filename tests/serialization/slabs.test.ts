import { describe, expect, it } from 'vitest';
import { frameSlab, isLent, isSlabContent, releaseSlab, SLAB_BYTES, Slab } from '../../src/serialization/slabs.js';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const filled = (slab: Slab, content: string) => {
  slab.room.set(new TextEncoder().encode(content));
  return slab.content(content.length);
};

describe('Slab', () => {
  it('is reused once its content is released, and its content is released once', () => {
    const content = filled(new Slab(SLAB_BYTES, true), 'a');
    expect(isLent(content)).toBe(true);
    releaseSlab(content);
    expect(isLent(content)).toBe(false);
    releaseSlab(content);
    expect(new Slab(SLAB_BYTES, true).room.buffer).toBe(content.buffer);
    expect(new Slab(SLAB_BYTES, true).room.buffer).not.toBe(content.buffer);
  });
  it.each([
    ['not lent', new Slab(SLAB_BYTES, false)],
    ['small', new Slab(10, true)],
    ['large', new Slab(SLAB_BYTES + 1, true)],
  ])('is not reused when it is %s', (_, slab) => {
    const content = filled(slab, 'a');
    releaseSlab(content);
    expect(isLent(content)).toBe(false);
    expect(new Slab(SLAB_BYTES, true).room.buffer).not.toBe(content.buffer);
  });
  it('is not released by a part of its content', () => {
    const content = filled(new Slab(SLAB_BYTES, true), 'abc');
    releaseSlab(content.subarray(0, 2));
    expect(isLent(content)).toBe(true);
    expect(isSlabContent(content.subarray(0))).toBe(false);
  });
});

describe('frameSlab', () => {
  it.each([3, 10])('adds text around the content without changing it (of %i bytes)', (size) => {
    const content = filled(new Slab(size, false), 'abc');
    expect(text(frameSlab(content, '3\r\n', '\r\n'))).toBe('3\r\nabc\r\n');
    expect(text(frameSlab(content, '3\r\n', '\r\n'))).toBe('3\r\nabc\r\n');
    expect(text(content)).toBe('abc');
  });
});
