import { describe, expect, it } from 'vitest';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRule } from '../../src/admission/admission-plugin.js';
import { AdmissionChain } from '../../src/admission/chain.js';
import { run } from '../../src/meta/flow.js';

const PODS = { group: '', resource: 'pods' };
const WIDGETS = { group: 'example.com', resource: 'widgets' };
const rule = (operations: AdmissionRule['operations'], apiGroups: string[], resources: string[]): AdmissionRule => ({
  operations,
  apiGroups,
  resources,
});

/** Returns the names of the plug-ins that validate a request, in order. */
async function validating(
  plugins: readonly Omit<AdmissionPlugin, 'validate'>[],
  resource: typeof PODS,
  operation: AdmissionAttributes['operation'],
  subresource = '',
): Promise<readonly string[]> {
  const asked: string[] = [];
  const listening = plugins.map((plugin) => ({ ...plugin, validate: () => void asked.push(plugin.name) }));
  const chain = new AdmissionChain({ plugins: listening }, resource);
  await run(
    chain.validate({ operation, subresource, resource: { ...resource, version: 'v1' } } as AdmissionAttributes),
  );
  return asked;
}

describe('a plug-in without rules', () => {
  const plugins = [{ name: 'all' }, { name: 'connecting', connects: true }];

  it('handles every write', async () => {
    for (const resource of [PODS, WIDGETS])
      for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const)
        for (const subresource of ['', 'status'])
          expect(await validating(plugins, resource, operation, subresource)).toEqual(['all', 'connecting']);
  });
  it('handles connections only if it says so', async () => {
    expect(await validating(plugins, PODS, 'CONNECT', 'exec')).toEqual(['connecting']);
  });
  it('calls the function that decides whether it handles the request', async () => {
    const choosy = [{ name: 'choosy', handles: ({ operation }: AdmissionAttributes) => operation === 'UPDATE' }];
    expect(await validating(choosy, PODS, 'CREATE')).toEqual([]);
    expect(await validating(choosy, PODS, 'UPDATE')).toEqual(['choosy']);
  });
});

describe('a plug-in with rules', () => {
  it.each([
    ['the operation', rule(['CREATE'], [''], ['pods']), { CREATE: [''] }],
    ['a subresource', rule(['UPDATE'], [''], ['pods/status']), { UPDATE: ['status'] }],
    ['all subresources', rule(['UPDATE'], [''], ['pods/*']), { UPDATE: ['', 'status', 'scale'] }],
    ['all operations', rule(['*'], ['*'], ['*']), { CREATE: [''], UPDATE: [''], DELETE: [''] }],
    ['one subresource of all resources', rule(['UPDATE'], [''], ['*/scale']), { UPDATE: ['scale'] }],
    ['another group', rule(['CREATE'], ['apps'], ['pods']), {}],
    ['another resource', rule(['CREATE'], [''], ['nodes']), {}],
  ] as const)('handles only the requests that its rules name: %s', async (_, own, handled) => {
    for (const operation of ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const)
      for (const subresource of ['', 'status', 'scale']) {
        const subresources: readonly string[] =
          (handled as Partial<Record<string, readonly string[]>>)[operation] ?? [];
        const expected = subresources.includes(subresource) ? ['own'] : [];
        expect(await validating([{ name: 'own', rules: [own] }], PODS, operation, subresource)).toEqual(expected);
      }
  });

  it('does not call that function for requests that no rule matches', async () => {
    const handles = () => {
      throw new Error('asked');
    };
    const plugins = [{ name: 'own', rules: [rule(['CREATE'], [''], ['pods'])], handles }];
    expect(await validating(plugins, WIDGETS, 'CREATE')).toEqual([]);
    await expect(validating(plugins, PODS, 'CREATE')).rejects.toThrow('asked');
  });

  it('keeps its position among the other plug-ins', async () => {
    const own = rule(['CREATE'], [''], ['pods']);
    const plugins = [{ name: 'a' }, { name: 'b', rules: [own] }, { name: 'c' }];
    expect(await validating(plugins, PODS, 'CREATE')).toEqual(['a', 'b', 'c']);
    expect(await validating(plugins, WIDGETS, 'CREATE')).toEqual(['a', 'c']);
  });

  it('handles connections if a rule matches them and it says that it handles connections', async () => {
    const rules = [rule(['CONNECT'], [''], ['pods/exec'])];
    expect(await validating([{ name: 'own', rules, connects: true }], PODS, 'CONNECT', 'exec')).toEqual(['own']);
    expect(await validating([{ name: 'own', rules, connects: true }], PODS, 'CONNECT', 'attach')).toEqual([]);
    expect(await validating([{ name: 'own', rules }], PODS, 'CONNECT', 'exec')).toEqual([]);
  });
});

describe('checks at the commit', () => {
  it('see new objects of the resources that their rules name', () => {
    const seen: string[] = [];
    const plugin = {
      name: 'own',
      rules: [rule(['CREATE'], [''], ['pods'])],
      atCommit: ({ name }: AdmissionAttributes) => void seen.push(name),
    };
    const attributes = (name: string) => ({ operation: 'CREATE', subresource: '', name }) as AdmissionAttributes;
    new AdmissionChain({ plugins: [plugin] }, PODS).checkAtCommit(attributes('a'));
    new AdmissionChain({ plugins: [plugin] }, WIDGETS).checkAtCommit(attributes('b'));
    expect(seen).toEqual(['a']);
  });
});
