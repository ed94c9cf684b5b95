import { builtinResources } from '../../src/resources/index.js';
import { runResourceContract } from '../../src/testing/resource-contract.js';
import { keyOfKind, SAMPLES } from './kind-samples.js';

for (const definition of builtinResources.filter(({ virtual, groupStem }) => !virtual && groupStem !== '')) {
  const sample = SAMPLES[keyOfKind(definition)];
  if (sample) runResourceContract(definition, sample);
}
