import { describe, expect, it } from 'vitest';
import { randomUuid, systemRandom } from '../../src/meta/random.js';

describe('systemRandom', () => {
  it.each([1, 16, 64, 65, 5000])('fills %i bytes and uses no byte twice', (length) => {
    const bytes = systemRandom.fill(new Uint8Array(length));
    expect(bytes).toHaveLength(length);
    if (length >= 16) expect(systemRandom.fill(new Uint8Array(length))).not.toEqual(bytes);
  });

  it('creates different uuids, also when its buffer is refilled', () => {
    const uuids = Array.from({ length: 2000 }, () => randomUuid(systemRandom));
    expect(new Set(uuids).size).toBe(2000);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
