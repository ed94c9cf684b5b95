import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { anonymousRequests } from '../../src/cli/authentication/anonymous-requests.js';
import { tokenIssuers } from '../../src/cli/authentication/token-issuers.js';
import { startServing } from './program.js';

async function configured(values: { modes?: string[]; anonymous?: boolean; file?: string }) {
  const logged: string[] = [];
  const flags = {
    'authorization-mode': values.modes,
    'anonymous-auth': values.anonymous,
    'authorization-config': values.file,
  };
  const host = { authorities: [], configuresAnonymous: false, log: (text: string) => logged.push(text) };
  const { authentication = [] } = await anonymousRequests.read({ values: flags as never, setFlags: new Set() }, host);
  return { isOn: authentication.length > 0, logged };
}

const WARNING =
  'AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. You should use a different authorizer';

describe('anonymous requests (spec 11.19)', () => {
  it.each([
    [undefined, undefined, false],
    [['AlwaysAllow'], undefined, false],
    [['AlwaysAllow'], true, false],
    [undefined, true, false],
    [['RBAC', 'AlwaysAllow'], undefined, false],
    [['AlwaysAllow', 'RBAC'], true, false],
    [['RBAC'], undefined, true],
    [['Node', 'RBAC'], true, true],
    [['RBAC'], false, false],
    [['AlwaysDeny'], undefined, true],
    [[], undefined, false],
    [[], true, false],
  ] as const)('with modes %j and --anonymous-auth=%j: %j', async (modes, anonymous, isOn) => {
    const found = await configured({
      ...(modes && { modes: [...modes] }),
      ...(anonymous !== undefined && { anonymous }),
    });
    expect(found.isOn).toBe(isOn);
    expect(found.logged).toEqual(anonymous === true && !isOn ? [WARNING] : []);
  });

  it('are enabled with a configuration of authorizers', async () => {
    expect((await configured({ file: 'authorizers.yaml' })).isOn).toBe(true);
  });

  it('are disabled with an empty name of that file, which counts as none', async () => {
    expect((await configured({ file: '' })).isOn).toBe(false);
    expect((await configured({ file: '', modes: ['RBAC'] })).isOn).toBe(true);
  });

  it.each([['--authorization-config='], ['--authorization-mode=']])('are refused by a server with %s', async (flag) => {
    const server = await startServing(flag);
    const status = await new Promise((resolve, reject) => {
      const options = { rejectUnauthorized: false, agent: false };
      const request = https.get(`${server.url}/api/v1/secrets`, options, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
    }).finally(server.stop);
    expect(server.text()).toContain('Authorization: AlwaysAllow');
    expect(status).toBe(401);
  });
});

describe('anonymous requests in a configuration file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anonymous-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'authentication.yaml');
  writeFileSync(
    file,
    'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\nanonymous: {enabled: true}\n',
  );
  const read = (...gates: [string, string][]) => {
    const values = { 'authentication-config': file, dialect: 'k8s', 'feature-gates': new Map(gates) };
    const host = { authorities: [], configuresAnonymous: false, log: () => {} };
    return tokenIssuers.read({ values: values as never, setFlags: new Set() }, host);
  };

  it.each([
    ['AnonymousAuthConfigurableEndpoints', 'true'],
    ['AnonymousAuthConfigurableEndpoints', 'True'],
    ['kube:AnonymousAuthConfigurableEndpoints', '1'],
    ['AllAlpha', 'true'],
  ])('require their feature gate, switched on by %s=%s', async (name, value) => {
    expect((await read([name, value])).configuresAnonymous).toBe(true);
  });

  it('are refused without the gate', async () => {
    for (const gates of [
      [],
      [
        ['AllAlpha', 'true'],
        ['AnonymousAuthConfigurableEndpoints', 'F'],
      ],
    ] as [string, string][][])
      await expect(read(...gates)).rejects.toThrow('anonymous: Forbidden');
  });
});
