import { expect, it } from 'vitest';
import { configMap } from '../../../src/resources/core/index.js';
import { startServer } from '../../support/servers.js';

const NAME = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
const where = { namespace: 'default' };

it('the description of the root CA ConfigMap is corrected together with its data, and when it is empty', async () => {
  await using server = await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' } });
  await server.settle();
  const client = server.client();
  const settled = async () => {
    await server.settle();
    const { data, metadata } = await client.get(configMap, NAME, where);
    return [data?.['ca.crt'], metadata.annotations?.[DESCRIPTION]] as const;
  };
  const [pem, description] = await settled();
  const change = (data: object, text: string) =>
    client.patch(configMap, NAME, { metadata: { annotations: { [DESCRIPTION]: text } }, data }, where);
  await change({}, 'mine');
  expect(await settled()).toEqual([pem, 'mine']);
  await change({ 'ca.crt': 'x' }, 'mine');
  expect(await settled()).toEqual([pem, description]);
  await change({}, '');
  expect(await settled()).toEqual([pem, description]);
});
