import { k8s } from '../../src/meta/dialect.js';
import type { Host } from '../../src/meta/host.js';
import { systemRandom } from '../../src/meta/random.js';
import { systemSignatures } from '../../src/signatures/system-signatures.js';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.js';

/** A host with nothing in it, a clock that is set by hand, and the lines it logged. */
export function fakeHost(
  start = '2026-11-21T12:00:00Z',
): Host & { readonly clock: FakeClock; readonly lines: string[] } {
  const lines: string[] = [];
  return {
    dialect: k8s,
    clock: createFakeClock(start),
    random: systemRandom,
    signatures: systemSignatures,
    fetch: async () => {
      throw new Error('there is no network');
    },
    lines,
    log: (message) => lines.push(message),
    lister: () => ({ get: () => undefined, list: () => [], byIndex: () => [], onChange: () => () => undefined }),
  };
}
