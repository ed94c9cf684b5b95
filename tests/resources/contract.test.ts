import { expect, it } from 'vitest';
import { builtinResources } from '../../src/resources/index.js';
import { runResourceContract } from '../../src/testing/resource-contract.js';
import { keyOfKind, SAMPLES } from './kind-samples.js';

const stored = builtinResources.filter(({ virtual }) => !virtual);
it('has a sample of every stored kind', () => {
  const elsewhere = ['certificatesigningrequests.certificates', 'clustertrustbundles.certificates'];
  expect(stored.map(keyOfKind).filter((key) => !(key in SAMPLES) && !elsewhere.includes(key))).toEqual([]);
});

// The kinds of the other groups are those of contract-of-groups.test.ts.
for (const definition of stored.filter(({ groupStem }) => groupStem === '')) {
  const sample = SAMPLES[keyOfKind(definition)];
  if (sample) runResourceContract(definition, sample);
}
