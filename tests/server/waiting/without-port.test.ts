import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, runScript } from './scripts.js';

let folder: string;
beforeAll(async () => {
  folder = await bundle({ index: 'src/index.ts' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FORMATS = ['mjs', 'cjs'] as const;

const SERVER = `
const server = new index.ApiServer({ dialect: 'k8s' });
await server.start();
const maps = '/api/v1/namespaces/default/configmaps';
const get = (query) => server.fetch(new Request('https://server' + maps + query), { user: { username: 'a', groups: ['system:masters'] } });
`;

describe.each(FORMATS)('a script without a port (%s)', (format) => {
  it('gets the answer to a request that waits for a version', async () => {
    const body = `${SERVER}
      const response = await get('?resourceVersion=1000000&timeoutSeconds=1');
      console.log('answered', response.status);`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'answered 504\n' });
  });

  it('gets the end of a watch with a timeout', async () => {
    const body = `${SERVER}
      const response = await get('?watch=true&timeoutSeconds=1&resourceVersion=0');
      const text = await response.text();
      console.log('ended', response.status, text.includes('kube-root-ca.crt'));`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'ended 200 true\n' });
  });

  it('gets the end of a watch of the client with a timeout', async () => {
    const body = `${SERVER}
      let events = 0;
      for await (const event of server.client().watch(index.configMap, { namespace: 'default', timeoutSeconds: 1 })) events++;
      console.log('ended', events > 0);`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'ended true\n' });
  });

  it('ends by itself when its work is done, with watches open that nobody reads', async () => {
    const body = `${SERVER}
      const abandoned = await get('?watch=true&timeoutSeconds=3000&resourceVersion=0');
      const read = await get('?watch=true&timeoutSeconds=3000&resourceVersion=0');
      await read.body.getReader().read();
      (async () => { for await (const event of server.client().watch(index.configMap)); })();
      await get('');
      console.log('done', abandoned.status);`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'done 200\n' });
  });
});
