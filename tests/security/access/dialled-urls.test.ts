import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sourceAddresses } from '../../../src/audit/source-addresses.js';
import type { FetchOptions } from '../../../src/meta/fetch.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { urlToDial } from '../../../src/outbound/ip-address.js';
import type { NativeLookup } from '../../../src/outbound/native-http.js';
import { checkedLookup } from '../../../src/outbound/node-fetch.js';
import { systemFetch, withDialledUrls } from '../../../src/outbound/system-fetch.js';
import { checkExternalAddress } from '../../../src/server/check-service-network.js';
import { parseAddress } from '../../../src/values/ip-address.js';
import { ask } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

const options: FetchOptions = {
  method: 'GET',
  headers: {},
  signal: new AbortController().signal,
  redirect: 'manual',
};

const byte = fc.integer({ min: 0, max: 255 });
const number = byte.chain((value) =>
  fc.constantFrom(`${value}`, `0${value}`, `00${value.toString(8)}`, `0x${value.toString(16)}`, `${value}%2e0`),
);
const digits = fc.constantFrom('０', '１', '７', '。', '127', '%31', '.', '0x', '-', 'a', '\\', '@', '­');
/** Texts that some parser reads as an address. */
const hosts = fc.oneof(
  fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.')),
  fc.array(number, { minLength: 4, maxLength: 4 }).map((parts) => `[::ffff:${parts.join('.')}]`),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String),
  fc.ipV6().map((text) => `[${text}]`),
  fc.ipV6().map((text) => `[${text}%25eth0]`),
  fc.array(digits, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  fc.domain(),
);

describe('the requested host is the one in the text of the URL', () => {
  it('for every form of a host: the same address, the same name, or a refusal', () => {
    fc.assert(
      fc.property(hosts, (host) => {
        let url: URL;
        try {
          url = new URL(urlToDial(`https://${host}:8443/a`));
        } catch {
          return;
        }
        const [reached, written] = [url.hostname, host].map((text) => text.replace(/^\[(.*)\]$/, '$1'));
        expect(parseAddress(reached ?? '')).toEqual(parseAddress(written ?? ''));
      }),
    );
  });

  it.each([
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '127.0.0.1.',
    '127%2e1',
    '１２７.1',
    '127。0。0。1',
    '[fe80::1%25eth0]',
    'good.example\\@127.1',
    'user@127.1',
    '',
  ])('except the refused host %s', (host) => {
    expect(() => urlToDial(`https://${host}/a`)).toThrow();
  });

  it.each([
    ['https://0177.0.0.1:1/a?b#c', 'https://177.0.0.1:1/a?b#c'],
    ['https://[::ffff:010.0.0.5]/a', 'https://10.0.0.5/a'],
    ['https://[0:0::1]', 'https://[::1]'],
    ['https://a.example:1/127.1', 'https://a.example:1/127.1'],
    ['unix://127.1', 'unix://127.1'],
  ])('%s becomes %s', (url, dialled) => {
    expect(urlToDial(url)).toBe(dialled);
  });

  it('for every response of a server', async () => {
    const asked: string[] = [];
    const fetch = withDialledUrls(async (url) => {
      asked.push(url);
      return new Response('');
    });
    await fetch('http://010.0.0.1/', options);
    await expect(fetch('http://127.1/', options)).rejects.toThrow('host "127.1" is neither an address nor a name');
    await expect(systemFetch('http://127.1/', options)).rejects.toThrow('neither an address nor a name');
    expect(asked).toEqual(['http://10.0.0.1/']);
  });

  it('for webhooks, whose URLs may be loopback addresses in their usual form', async () => {
    const asked: string[] = [];
    await using server = await openServer({
      dialect: 'k8s',
      fetch: (url) => {
        asked.push(url);
        return Promise.reject(new Error('no route to host'));
      },
    });
    const said = async (url: string) => {
      const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      await ask(server, { method: 'DELETE', path: `${configurations}/a` });
      const clientConfig = { url };
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
      const admissionReviewVersions = ['v1'];
      await server.load([
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'a' },
          webhooks: [{ name: 'a.b.c', clientConfig, rules, admissionReviewVersions, sideEffects: 'None' }],
        },
      ]);
      const path = '/api/v1/namespaces/default/configmaps';
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
      return (await ask(server, { method: 'POST', path, body })).message;
    };
    for (const path of ['', '/', '//a//b/', '/a/./b', '/c/../a/b/']) await said(`https://127.0.0.1${path}`);
    const sent = ['/', '/', '/a/b', '/a/b', '/a/b'];
    expect(asked.splice(0)).toEqual(sent.map((path) => `https://127.0.0.1${path}?timeout=10s`));
    expect(await said('https://0177.1/a')).toContain('host "0177.1" is neither an address nor a name');
    expect(asked).toEqual([]);
  });
});

describe('where only global unicast addresses are allowed', () => {
  const guarded = { ...options, onlyGlobalUnicast: true };

  async function local(): Promise<number> {
    const server = createServer((_, answer) => answer.end('inner'));
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  it("no address of the server's host is, whatever name resolves to it", async () => {
    const port = await local();
    expect(await (await systemFetch(`http://localhost:${port}/`, { ...options, tls: {} })).text()).toBe('inner');
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '169.254.169.254'])
      for (const send of [systemFetch, systemFetch.upgrade])
        await expect(send?.(`http://${host}:${port}/`, guarded)).rejects.toThrow('address not allowed');
  });

  const answered = (...addresses: string[]): NativeLookup =>
    checkedLookup((_, { all }, done) =>
      done(null, all ? addresses.map((address) => ({ address, family: 4 })) : (addresses[0] ?? ''), 4),
    );
  const found = (lookup: NativeLookup, all: boolean) =>
    new Promise<unknown>((resolve) => lookup('a.example', { all }, (error, some) => resolve(error?.message ?? some)));

  it('each result of a lookup is checked', async () => {
    expect(await found(answered('10.0.0.1'), false)).toBe('10.0.0.1');
    expect(await found(answered('127.0.0.1'), false)).toBe('address not allowed');
    expect(await found(answered('10.0.0.1', '::1'), true)).toBe('address not allowed');
    expect(await found(answered('10.0.0.1'), true)).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  it("a node is dialled by its name, unless that is one of the server's host", async () => {
    await using server = await openServer({ dialect: 'k8s' });
    await server.load([
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'named' },
        status: { addresses: [{ type: 'Hostname', address: 'localhost' }] },
      },
    ]);
    const { status, message } = await ask(server, { path: '/api/v1/nodes/http:named:1/proxy/' });
    expect([status, message]).toEqual([400, 'address not allowed']);
  });
});

it('source addresses of requests are printed from their bytes, in which leading zeros are decimal', () => {
  const from = (text: string) => sourceAddresses(headersOf({ 'x-forwarded-for': text }), undefined);
  expect(from('::ffff:7f00:1, 0:0:0:0:0:ffff:10.0.0.1, 0177.0.0.1, 127.1, fe80::1%eth0, 2001:DB8::0')).toEqual([
    '127.0.0.1',
    '10.0.0.1',
    '177.0.0.1',
    '2001:db8::',
  ]);
});

it.each(['127.1', '0x7f000001', 'a.example:127.1', ''])('%s is not an external address', (text) => {
  expect(checkExternalAddress(text)).toContain('must be a host');
});
