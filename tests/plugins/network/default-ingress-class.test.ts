import { expect, it } from 'vitest';
import { ingress, ingressClass } from '../../../src/exports/kinds.js';
import { startServer } from '../../support/servers.js';

const spec = { rules: [{ host: 'a.example.com' }] };
const where = { namespace: 'default' };

for (const [dialect, domain] of [
  ['k8s', 'kubernetes.io'],
  ['orch', 'orch.io'],
] as const)
  it(`gives an ingress without a class the default one (${dialect})`, async () => {
    await using server = await startServer({ dialect });
    const client = server.client();
    const classOf = async (name: string, more: object = {}, annotations: Record<string, string> = {}) =>
      (await client.create(ingress, { metadata: { name, annotations }, spec: { ...spec, ...more } }, where)).spec
        .ingressClassName;
    const makeClass = (name: string, isDefault: string) => {
      const annotations = { [`ingressclass.${domain}/is-default-class`]: isDefault };
      return client.create(ingressClass, { metadata: { name, annotations }, spec: { controller: 'example.com/c' } });
    };

    expect(await classOf('before')).toBeUndefined();
    await makeClass('another', 'yes');
    expect(await classOf('none-marked')).toBeUndefined();
    await makeClass('wanted', 'true');
    expect(await classOf('gets-it')).toBe('wanted');
    expect(await classOf('has-one', { ingressClassName: 'own' })).toBe('own');
    expect(await classOf('annotated', {}, { [`${domain}/ingress.class`]: '' })).toBeUndefined();
    const { spec: cleared } = await client.patch(ingress, 'gets-it', { spec: { ingressClassName: null } }, where);
    expect(cleared.ingressClassName).toBeUndefined();
  });
