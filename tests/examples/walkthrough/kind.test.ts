import { ApiServer, isInvalid } from 'orch-apiserver';
import { runResourceContract } from 'orch-apiserver/testing/vitest';
import { expect, it } from 'vitest';
import { freeze } from '../../../examples/walkthrough/kind.js';

const spec = { from: 1, until: 2, reason: 'holidays' };

// The requirements for every kind: identity, versions, updates, dry runs, lists, watches, deletion.
runResourceContract(freeze, { object: { metadata: { name: 'winter' }, spec } });

it('refuses a period that ends before it begins', async () => {
  await using server = new ApiServer({ resources: (builtin) => [...builtin, freeze] });
  await server.start();
  const backwards = { metadata: { name: 'backwards' }, spec: { ...spec, until: 0 } };
  const creation = server.client().create(freeze, backwards, { namespace: 'default' });
  await expect(creation).rejects.toSatisfy(isInvalid);
  await expect(creation).rejects.toThrow('spec.until: Invalid value: 0: must be after spec.from');
});
