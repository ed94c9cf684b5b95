import { describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import type { FetchOptions } from '../../src/meta/fetch.js';
import { sendToHandler, upgradeAtHandler } from '../../src/outbound/service-handlers.js';
import { type ServiceTarget, ServiceTargets } from '../../src/outbound/service-targets.js';

const answer = () => new Response();
const FORM = "a service must be 'namespace/name' or 'namespace/name:port', in lower-case letters, digits and '-'";

describe('the targets of services', () => {
  it('are found by namespace and name; those with a port take precedence', () => {
    const targets = new ServiceTargets();
    targets.set('a/b', 'https://127.0.0.1:1').set('a/b:443', 'https://127.0.0.1:2');
    expect(targets.find('a', 'b', 443)).toEqual({ origin: 'https://127.0.0.1:2' });
    expect(targets.find('a', 'b', 80)).toEqual({ origin: 'https://127.0.0.1:1' });
    expect(targets.find('a', 'b')).toEqual({ origin: 'https://127.0.0.1:1' });
    expect(targets.find('b', 'a', 443)).toBeUndefined();
    expect([targets.has('a/b'), targets.has('a/b:443'), targets.has('a/b:80')]).toEqual([true, true, false]);
    expect([targets.delete('a/b:443'), targets.delete('a/b:443')]).toEqual([true, false]);
    expect(targets.find('a', 'b', 443)).toEqual({ origin: 'https://127.0.0.1:1' });
  });

  it('are functions, objects with fetch, and origins of URLs', () => {
    const object = { fetch: answer };
    const targets = new ServiceTargets({ 'a/f': answer, 'a/o': object, 'a/u': new URL('https://far.example') });
    expect(targets.find('a', 'f')).toEqual({ handler: { fetch: answer } });
    expect(targets.find('a', 'o')).toEqual({ handler: object });
    expect(targets.find('a', 'u')).toEqual({ origin: 'https://far.example' });
    expect(targets.network).toBe(false);
    expect(new ServiceTargets('network').network).toBe(true);
  });

  it('notify their listeners of changes until these unsubscribe', () => {
    const targets = new ServiceTargets();
    const seen: string[] = [];
    const stop = targets.onChange((namespace, name) => seen.push(`${namespace}/${name}`));
    targets.set('a/b', answer).set('a/c:1', answer);
    targets.delete('a/c:1');
    targets.delete('a/none');
    stop();
    targets.delete('a/b');
    expect(seen).toEqual(['a/b', 'a/c:1', 'a/c:1'].map((each) => each.split(':')[0]));
  });

  it.each([
    '',
    'a',
    '/a',
    'a/',
    'a/b/c',
    'a/b:',
    'a/b:0',
    'a/b:065',
    'a/b:65536',
    'a/b:http',
    'A/b',
    'a/b.svc',
    'a /b',
    'a/b\n',
    '__proto__/b',
    'https://a/b',
    `a/${'b'.repeat(64)}`,
  ])('are refused under the name %j', (service) => {
    const targets = new ServiceTargets();
    for (const call of [() => targets.set(service, answer), () => targets.has(service), () => targets.delete(service)])
      expect(call).toThrow(new TypeError(`${JSON.stringify(service)}: ${FORM}`));
  });

  it.each<[unknown, string]>([
    [undefined, 'the target must be a function, an object with fetch(), or a URL'],
    [null, 'the target must be a function, an object with fetch(), or a URL'],
    [{}, 'the target must be a function, an object with fetch(), or a URL'],
    [8443, 'the target must be a function, an object with fetch(), or a URL'],
    ['127.0.0.1:8443', '"127.0.0.1:8443" is not a URL such as https://127.0.0.1:8443'],
    ['localhost:8443', '"localhost:8443" is not a URL such as https://127.0.0.1:8443'],
    ['ftp://127.0.0.1', '"ftp://127.0.0.1" is not a URL such as https://127.0.0.1:8443'],
    ['https://', '"https://" is not a URL such as https://127.0.0.1:8443'],
    ['https://a/b', '"https://a/b" must consist of a scheme, a host and a port, without a path'],
    ['https://a?b', '"https://a?b" must consist of a scheme, a host and a port, without a path'],
    ['https://a#b', '"https://a#b" must consist of a scheme, a host and a port, without a path'],
    ['https://u:p@a', '"https://u:p@a" must consist of a scheme, a host and a port, without a path'],
    ['http://a', '"http://a" is not a loopback address, and must therefore use https'],
    ['http://127.evil', '"http://127.evil" is not a loopback address, and must therefore use https'],
    ['http://10.0.0.1', '"http://10.0.0.1" is not a loopback address, and must therefore use https'],
    ['http://localhost.a', '"http://localhost.a" is not a loopback address, and must therefore use https'],
  ])('are refused for the value %j', (target, why) => {
    expect(() => new ServiceTargets().set('a/b', target as ServiceTarget)).toThrow(new TypeError(`"a/b": ${why}`));
  });

  it.each([
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['HTTP://LocalHost:8080/', 'http://localhost:8080'],
    ['http://127.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://0177.0.0.1', 'https://127.0.0.1'],
  ])('%s is dialled as parsed, %s', (url, origin) => {
    expect(new ServiceTargets({ 'a/b': url }).find('a', 'b')).toEqual({ origin });
  });

  it('are not found under the names of inherited members', () => {
    const targets = new ServiceTargets({ 'a/b:443': answer, 'a/c': answer });
    for (const [namespace, name] of [
      ['a', 'b:443'],
      ['443:a', 'b'],
      [':a', 'c'],
      ['a/c', ''],
      ['', 'a/c'],
    ] as const)
      expect(targets.find(namespace, name, 8443)).toBeUndefined();
  });
});

describe('the option `services` of a server', () => {
  it.each<[unknown, string]>([
    ['net', "must be 'network', or an object of targets, such as { 'namespace/name': handler }"],
    [null, "must be 'network', or an object of targets, such as { 'namespace/name': handler }"],
    [true, "must be 'network', or an object of targets, such as { 'namespace/name': handler }"],
    [{ hook: answer }, `"hook": ${FORM}`],
    [{ 'a/b': 1 }, '"a/b": the target must be a function, an object with fetch(), or a URL'],
  ])('refuses %j', (services, why) => {
    expect(() => new ApiServer({ services: services as never })).toThrow(
      new TypeError(`ApiServer: option services: ${why}`),
    );
  });

  it('looks up endpoints only if the server has a network', () => {
    expect(() => new ApiServer({ network: { aggregatorRouting: true } })).toThrow(
      "aggregatorRouting needs services: 'network'",
    );
    expect(new ApiServer({ network: { aggregatorRouting: true }, services: 'network' }).services.has('a/b')).toBe(
      false,
    );
  });
});

describe('a handler as a target', () => {
  const options = { method: 'GET', headers: {}, signal: new AbortController().signal, redirect: 'manual' } as const;
  it.each([undefined, null, {}, 'text', { status: 200 }])('that returns %j has failed', async (value) => {
    const handler = { fetch: () => value as never, upgrade: () => value as never };
    const refused = 'the handler of the service returned no Response';
    await expect(sendToHandler(handler, {}, 'https://a/', options)).rejects.toThrow(refused);
    await expect(upgradeAtHandler(handler, {}, 'https://a/', options)).rejects.toThrow(refused);
  });

  it('receives the request and the user who sends it', async () => {
    const seen: unknown[] = [];
    const fetch = async (request: Request, caller: object) => {
      seen.push(request.url, request.headers.get('a'), request.headers.get('b'), await request.text(), caller);
      return new Response('well');
    };
    const sent: FetchOptions = {
      ...options,
      method: 'POST',
      body: 'x',
      headers: { a: '1' },
      repeatedHeaders: { b: ['2', '3'] },
    };
    const user = { username: 'ann' };
    expect(await (await sendToHandler({ fetch }, { user }, 'https://svc.a.svc:443/p?q', sent)).text()).toBe('well');
    expect(seen).toEqual(['https://svc.a.svc/p?q', '1', '2, 3', 'x', { user }]);
  });
});
