import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

interface Discovery {
  readonly items: readonly {
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly { readonly resource: string; readonly responseKind: { readonly kind: string } }[];
    }[];
  }[];
}

const user = { username: 'root', groups: ['system:masters'] };

it('docs/served.md marks as enabled what a server without options serves', async () => {
  await using server = await startServer({ dialect: 'k8s' });
  const served = new Set<string>();
  for (const path of ['api', 'apis']) {
    const headers = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
    const { items } = (await (await fetchFrom(server, `/${path}`, { headers, user })).json()) as Discovery;
    for (const { version, resources } of items.flatMap(({ versions }) => versions))
      for (const { resource, responseKind } of resources)
        served.add(`${responseKind.kind} (\`${resource}\`) | ${version} `);
  }
  const page = readFileSync(new URL('../../docs/served.md', import.meta.url), 'utf8');
  const rows = page.match(/^\| \w+ \(`[a-z]+`\) \| v\w+(?:, off)? /gm) ?? [];
  const on = rows.map((row) => row.slice(2)).filter((row) => !row.endsWith(', off '));
  expect([...new Set(on)].sort()).toEqual([...served].sort());
});
