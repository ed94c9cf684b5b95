import { vi } from 'vitest';

/** Counts how often objects of a kind are encoded as JSON while a function runs; cached encodings do not count. */
export async function countEncodings(kind: string, run: () => unknown): Promise<number> {
  const stringify = vi.spyOn(JSON, 'stringify');
  try {
    await run();
    return stringify.mock.calls.filter(([value]) => isOf(kind, value)).length;
  } finally {
    stringify.mockRestore();
  }
}

const isOf = (kind: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind && 'metadata' in value;
