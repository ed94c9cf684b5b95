import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as base64 from '../../src/values/base64.js';

const SOURCE = new URL('../../src/values/base64.ts', import.meta.url);

/** Imports another copy of the module, in the way of a runtime without Node's Buffer. */
async function withoutBuffer(): Promise<typeof base64> {
  const { code } = await transform(await readFile(SOURCE, 'utf8'), { loader: 'ts' });
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  vi.stubGlobal('Buffer', undefined);
  try {
    return await import(/* @vite-ignore */ url);
  } finally {
    vi.unstubAllGlobals();
  }
}

/** Returns what a function returns, or the name of the error that it throws. */
function outcomeOf<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).name;
  }
}

describe('base64', () => {
  it('gives the same result with and without Buffer', async () => {
    const without = await withoutBuffer();
    expect(without).not.toBe(base64);
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(bytes, fc.nat(10), (all, start) => {
        const part = all.subarray(start);
        const text = base64.encodeBase64(part);
        expect(text).toBe(without.encodeBase64(part));
        expect(base64.decodeBase64(text)).toEqual(new Uint8Array(part));
        expect(base64.decodeBase64Url(base64.encodeBase64Url(part))).toEqual(new Uint8Array(part));
      }),
    );
    const nearlyBase64 = fc.string({ unit: fc.constantFrom(...'AbZ9+/-_= \n\r\té'), maxLength: 12 });
    fc.assert(
      fc.property(nearlyBase64, (text) => {
        expect(outcomeOf(() => base64.decodeBase64(text))).toEqual(outcomeOf(() => without.decodeBase64(text)));
        expect(base64.decodeBase64Url(text)).toEqual(without.decodeBase64Url(text));
      }),
    );
  });

  it('returns bytes that share no memory with other buffers', () => {
    expect(base64.decodeBase64('YWJj').buffer.byteLength).toBe(3);
  });
});
