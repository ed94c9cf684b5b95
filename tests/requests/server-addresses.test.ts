import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { ApiServer } from '../../src/index.js';
import { ask, type Question } from '../support/ask.js';
import { openServer } from '../support/servers.js';

let server: ApiServer | undefined;
afterEach(() => server?.close());

/** Returns the document at a path for a caller. */
async function told(options: ApiServerOptions, question: Question) {
  server = await openServer(options);
  return (await ask(server, question)).value;
}
const addresses = async (options: ApiServerOptions, caller: Question) =>
  (await told(options, { path: '/api', ...caller })).serverAddressByClientCIDRs;
const everywhere = (serverAddress: string) => ({ clientCIDR: '0.0.0.0/0', serverAddress });

describe('/api lists the addresses of the server', () => {
  it.each([
    ['the Host header of the request by default', undefined, 'reached.test:8443', 'reached.test:8443'],
    ['externalAddress and its port', 'api.example.com:443', 'reached.test:8443', 'api.example.com:443'],
    ['externalAddress and the port of the Host header', 'api.example.com', 'reached.test:8443', 'api.example.com:8443'],
    ['externalAddress alone if the Host header has no port', 'api.example.com', 'reached.test', 'api.example.com'],
    ['an IPv6 address in brackets', '2001:db8::7', '[::1]:8443', '[2001:db8::7]:8443'],
    ['an IPv6 address and its port', '[2001:db8::7]:443', '[::1]:8443', '[2001:db8::7]:443'],
  ])('with %s', async (_, externalAddress, host, expected) => {
    expect(await addresses({ ...(externalAddress ? { network: { externalAddress } } : {}) }, { host })).toEqual([
      everywhere(expected),
    ]);
  });

  it('and that of its Service for clients in the cluster, even behind proxies', async () => {
    const own = { clientCIDR: '10.0.0.0/24', serverAddress: '10.0.0.1:443' };
    const externalAddress = 'api.example.com:443';
    const all = [everywhere(externalAddress), own];
    expect(await addresses({ network: { externalAddress } }, { remoteAddress: '10.0.0.9' })).toEqual(all);
    await server?.close();
    const forwarded = { headers: { 'x-forwarded-for': '10.0.0.7, 192.0.2.1' }, remoteAddress: '192.0.2.2' };
    expect(await addresses({ network: { externalAddress } }, forwarded)).toEqual(all);
    await server?.close();
    expect(await addresses({ network: { externalAddress } }, { remoteAddress: '10.0.1.9' })).toEqual([
      everywhere(externalAddress),
    ]);
    await server?.close();
    const serviceNetwork = { clusterIpRanges: ['2001:db8::/112'] };
    expect(await addresses({ network: { externalAddress, serviceNetwork } }, { remoteAddress: '2001:db8::5' })).toEqual(
      [everywhere(externalAddress), { clientCIDR: '2001:db8::/112', serverAddress: '[2001:db8::1]:443' }],
    );
  });
});

it('the keys of tokens have the same address, unless the issuer configures another one', async () => {
  const keys = async (options: ApiServerOptions) => {
    const { jwks_uri } = await told(options, { path: '/.well-known/openid-configuration', host: 'reached.test:8443' });
    await server?.close();
    return jwks_uri;
  };
  const issuers = ['https://issuer.example.com'];
  expect(await keys({ serviceAccountTokens: { issuers } })).toBe('https://reached.test:8443/openid/v1/jwks');
  const externalAddress = 'api.example.com';
  expect(await keys({ network: { externalAddress }, serviceAccountTokens: { issuers } })).toBe(
    'https://api.example.com:8443/openid/v1/jwks',
  );
  const jwksUri = 'https://keys.example.com/jwks';
  expect(await keys({ network: { externalAddress }, serviceAccountTokens: { issuers, jwksUri } })).toBe(jwksUri);
});

it.each(['', 'https://api.example.com', 'api.example.com:0', 'api.example.com:65536', 'a b', 'a:b', 7])(
  'the address %j is refused',
  async (externalAddress) => {
    await expect(openServer({ network: { externalAddress: externalAddress as string } })).rejects.toThrow(
      "option network: externalAddress must be a host, or a host and its port, 'api.example.com:443'",
    );
  },
);
