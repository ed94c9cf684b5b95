import { describe, expect, it } from 'vitest';
import { credentialsFetch } from '../../src/kubeconfig/credentials-fetch.js';
import type { PlatformCommand } from '../../src/kubeconfig/platform.js';
import { readKubeconfig } from '../../src/kubeconfig/read-kubeconfig.js';
import { type Dialect, k8s, orch } from '../../src/meta/dialect.js';
import type { Fetch, FetchOptions } from '../../src/meta/fetch.js';
import { createFakeClock } from '../../src/testing/index.js';
import { FakeMachine } from './fake-machine.js';

const GROUP = 'client.authentication.k8s.io';
const exec = (more: object = {}) => ({
  exec: { command: 'plugin', apiVersion: `${GROUP}/v1`, interactiveMode: 'Never', ...more },
});
const printed = (status: object | undefined, apiVersion = `${GROUP}/v1`) => ({
  exitCode: 0,
  output: JSON.stringify({ kind: 'ExecCredential', apiVersion, status }),
});

/** Sends requests to a server as a user of a kubeconfig. `asked` contains the requests that the server received. */
async function caller(user: object, { cluster = {}, dialect = k8s }: { cluster?: object; dialect?: Dialect } = {}) {
  const machine = new FakeMachine({ '/token': 'first\n' });
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const asked: FetchOptions[] = [];
  let status = 200;
  const fetch: Fetch = async (_, options) => {
    asked.push(options);
    return new Response('', { status });
  };
  const text = JSON.stringify({
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://server', ...cluster } }],
    users: [{ name: 'jane', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'jane' } }],
  });
  const context = await readKubeconfig(text, { readFile: (path) => machine.readFile(path) });
  const send = credentialsFetch(context, fetch, { platform: () => machine, clock, dialect });
  const options = { method: 'GET', headers: { accept: 'x' }, redirect: 'manual' } as const;
  const ask = async (more: Partial<FetchOptions> = {}) => {
    await send('https://server/version', { ...options, signal: new AbortController().signal, ...more });
    const last = asked.at(-1) as FetchOptions;
    return { authorization: last.headers['authorization'], ...last };
  };
  return { machine, clock, asked, ask, answer: (next: number) => (status = next) };
}

describe('the credentials of a kubeconfig', () => {
  it('are a token, a name and password, or a certificate', async () => {
    expect(await (await caller({ token: 'abc' })).ask()).toMatchObject({ authorization: 'Bearer abc' });
    expect(await (await caller({ username: 'jane', password: 'é:x' })).ask()).toMatchObject({
      authorization: `Basic ${Buffer.from('jane:é:x').toString('base64')}`,
    });
    const pem = (text: string) => Buffer.from(text).toString('base64');
    const shown = await (
      await caller(
        { 'client-certificate-data': pem('CRT'), 'client-key-data': pem('KEY') },
        { cluster: { 'certificate-authority-data': pem('CA'), 'tls-server-name': 'n', 'proxy-url': 'http://proxy' } },
      )
    ).ask();
    expect(shown.tls).toEqual({
      certificateAuthority: 'CA',
      serverName: 'n',
      clientCertificate: 'CRT',
      clientKey: 'KEY',
    });
    expect(shown).toMatchObject({ authorization: undefined, proxy: 'http://proxy' });
    const careless = await (await caller({}, { cluster: { 'insecure-skip-tls-verify': true } })).ask();
    expect(careless.tls).toEqual({ insecureSkipVerify: true });
  });

  it('are not sent over plain HTTP', async () => {
    const plain = await caller({ token: 'abc', ...exec() }, { cluster: { server: 'http://server' } });
    expect(await plain.ask()).toMatchObject({ authorization: undefined });
  });

  it('can impersonate another user', async () => {
    const acting = await caller({
      as: 'joe',
      'as-uid': '1',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'a/b': ['c'], '(ü)': ['d'] },
    });
    expect(await acting.ask()).toMatchObject({
      headers: { 'Impersonate-User': 'joe', 'Impersonate-Uid': '1' },
      repeatedHeaders: {
        'Impersonate-Group': ['a', 'b'],
        'Impersonate-Extra-a%2Fb': ['c'],
        'Impersonate-Extra-%28%C3%BC%29': ['d'],
      },
    });
  });

  it('cannot be of two kinds at once', async () => {
    await expect(caller({ token: 'a', username: 'b' })).rejects.toThrow(
      'more than one authentication method found for jane; found [token basicAuth], only one is allowed',
    );
    const pem = Buffer.from('CA').toString('base64');
    const cluster = { 'certificate-authority-data': pem, 'insecure-skip-tls-verify': true };
    await expect(caller({}, { cluster: { ...cluster, 'certificate-authority': '/ca' } })).rejects.toThrow(
      'certificate-authority-data and certificate-authority are both specified',
    );
    await expect(caller({ 'client-certificate': '/crt', 'client-certificate-data': pem })).rejects.toThrow(
      'client-cert-data and client-cert are both specified for jane',
    );
    await expect(caller({ 'client-key': '/key', 'client-key-data': pem })).rejects.toThrow(
      'client-key-data and client',
    );
    for (const part of [{ 'as-uid': '1' }, { 'as-groups': ['a'] }, { 'as-user-extra': { a: ['b'] } }])
      await expect(caller(part)).rejects.toThrow('for jane without impersonating a user');
    await expect(caller({}, { cluster })).rejects.toThrow('with the insecure flag is not allowed');
    await expect(caller({ 'auth-provider': { name: 'x' } })).rejects.toThrow('auth-provider, which is not supported');
  });

  it('are read from a token file again after a minute, or when refused; an unreadable file is ignored', async () => {
    const { machine, clock, ask, answer } = await caller({ tokenFile: '/token', token: 'inline' });
    expect(await ask()).toMatchObject({ authorization: 'Bearer first' });
    machine.files['/token'] = 'second';
    expect(await ask()).toMatchObject({ authorization: 'Bearer first' });
    clock.advance(60_000);
    expect(await ask()).toMatchObject({ authorization: 'Bearer second' });
    machine.files['/token'] = 'third';
    answer(401);
    await ask();
    expect(await ask()).toMatchObject({ authorization: 'Bearer third' });
    delete machine.files['/token'];
    clock.advance(60_000);
    expect(await ask()).toMatchObject({ authorization: 'Bearer third' });
  });
});

describe('a credential plugin', () => {
  it('is run once for all waiting requests, and again when its credentials expire', async () => {
    const { machine, clock, ask } = await caller(exec());
    machine.answer = () => printed({ token: `t${machine.runs.length}`, expirationTimestamp: '2030-01-01T00:10:00Z' });
    const both = await Promise.all([ask(), ask()]);
    expect(both.map(({ authorization }) => authorization)).toEqual(['Bearer t1', 'Bearer t1']);
    clock.advance(599_999);
    expect(await ask()).toMatchObject({ authorization: 'Bearer t1' });
    clock.advance(1);
    expect(await ask()).toMatchObject({ authorization: 'Bearer t2' });
  });

  it('that does not end does not block a caller who aborts', async () => {
    const { machine, ask, asked } = await caller(exec());
    machine.run = () => new Promise(() => {});
    const abort = new AbortController();
    const waiting = ask({ signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow('context canceled');
    expect(asked).toEqual([]);
  });

  it('is run again after a 401, whose response is returned; without an expiry it is not run again otherwise', async () => {
    const { machine, clock, ask, answer } = await caller(exec());
    machine.answer = () => printed({ token: `t${machine.runs.length}` });
    await ask();
    clock.advance(1e10);
    answer(401);
    expect(await ask()).toMatchObject({ authorization: 'Bearer t1' });
    answer(403);
    expect(await ask()).toMatchObject({ authorization: 'Bearer t2' });
    expect(await ask()).toMatchObject({ authorization: 'Bearer t2' });
  });

  it('is not run if the kubeconfig has other credentials', async () => {
    const { machine, ask } = await caller({ token: 'abc', ...exec() });
    expect(await ask()).toMatchObject({ authorization: 'Bearer abc' });
    expect(machine.runs).toEqual([]);
  });

  it.each([
    [k8s, 'KUBERNETES_EXEC_INFO'],
    [orch, 'ORCH_EXEC_INFO'],
  ])('receives its input in the environment: $name', async (dialect, variable) => {
    const group = `client.authentication.${dialect.groupSuffix}`;
    const extensions = [{ name: `${group}/exec`, extension: { audience: 'a' } }];
    const { machine, ask } = await caller(
      exec({
        apiVersion: `${group}/v1`,
        args: ['a', 'b'],
        env: [{ name: 'A', value: 'mine' }],
        provideClusterInfo: true,
      }),
      { cluster: { 'tls-server-name': 'n', 'proxy-url': 'http://proxy', extensions }, dialect },
    );
    machine.environment = { A: 'theirs', B: 'theirs' };
    machine.answer = () => printed({ token: 't' }, `${group}/v1`);
    await ask();
    const { environment, ...run } = machine.runs[0] as PlatformCommand;
    expect(run).toEqual({ command: 'plugin', args: ['a', 'b'], interactive: false });
    const { [variable]: info = '', ...rest } = environment;
    expect(rest).toEqual({ A: 'mine', B: 'theirs' });
    const cluster = {
      server: 'https://server',
      'tls-server-name': 'n',
      'proxy-url': 'http://proxy',
      config: { audience: 'a' },
    };
    expect(JSON.parse(info)).toEqual({
      kind: 'ExecCredential',
      apiVersion: `${group}/v1`,
      spec: { interactive: false, cluster },
    });
  });

  it.each([
    ['Never', true, false],
    ['IfAvailable', false, false],
    ['IfAvailable', true, true],
    ['Always', true, true],
  ])(
    'is interactive depending on its mode: %s with a terminal %s',
    async (interactiveMode, isTerminal, interactive) => {
      const { machine, ask } = await caller(exec({ interactiveMode }));
      machine.isTerminal = isTerminal;
      machine.answer = () => printed({ token: 't' });
      await ask();
      expect(machine.runs[0]).toMatchObject({ interactive });
      const info = machine.runs[0]?.environment['KUBERNETES_EXEC_INFO'] ?? '';
      expect(JSON.parse(info).spec).toEqual({ interactive });
    },
  );

  it('is not run if it requires a terminal and there is none', async () => {
    const { machine, ask } = await caller(exec({ interactiveMode: 'Always' }));
    await expect(ask()).rejects.toThrow(
      'getting credentials: exec plugin cannot support interactive mode: standard input is not a terminal',
    );
    expect(machine.runs).toEqual([]);
  });

  it('of v1beta1 may omit its mode', async () => {
    const user = exec({ apiVersion: `${GROUP}/v1beta1`, interactiveMode: undefined });
    const { machine, ask } = await caller(user);
    machine.isTerminal = true;
    machine.answer = () => printed({ token: 't' }, `${GROUP}/v1beta1`);
    await ask();
    expect(machine.runs[0]).toMatchObject({ interactive: true });
  });

  it('provides a certificate, whose change ends the connections of watches', async () => {
    const { machine, ask, answer } = await caller(exec());
    const pair = (name: string) => ({ clientCertificateData: `certificate ${name}`, clientKeyData: `key ${name}` });
    machine.answer = () => printed(pair('1'));
    const first = await ask();
    expect(first.tls).toEqual({ clientCertificate: 'certificate 1', clientKey: 'key 1' });
    const { signal } = new AbortController();
    const watches = [await ask({ longLived: true, signal }), await ask({ longLived: true, signal })];
    for (const { tls } of watches) expect(tls).toBe(first.tls);
    answer(401);
    await ask();
    machine.answer = () => printed(pair('1'));
    expect((await ask()).tls).toBe(first.tls);
    machine.answer = () => printed(pair('2'));
    const second = await ask({ longLived: true });
    expect(second.tls).toMatchObject({ clientCertificate: 'certificate 2' });
    expect(watches.map((watch) => watch.signal.aborted)).toEqual([true, true]);
    expect(second.signal.aborted).toBe(false);
  });

  const odd = { kind: 'Config', apiVersion: `${GROUP}/v1`, status: { token: 't' } };
  it.each([
    ['fails', { exitCode: 3, output: '' }, 'exec: executable plugin failed with exit code 3'],
    ['prints no JSON', { exitCode: 0, output: 'secret' }, 'decoding stdout: it is not JSON'],
    ['prints a list', { exitCode: 0, output: '[]' }, 'decoding stdout: it is not an object'],
    ['prints an object without a kind', { exitCode: 0, output: '{}' }, `decoding stdout: Object 'Kind' is missing`],
    [
      'prints another kind',
      { exitCode: 0, output: JSON.stringify(odd) },
      'decoding stdout: no kind "Config" is registered',
    ],
    [
      'prints another version',
      printed({ token: 't' }, `${GROUP}/v1beta1`),
      `exec plugin is configured to use API version ${GROUP}/v1, plugin returned version ${GROUP}/v1beta1`,
    ],
    ['returns no status', printed(undefined), `exec plugin didn't return a status field`],
    ['returns an empty status', printed({}), `exec plugin didn't return a token or cert/key pair`],
    [
      'returns a key without a certificate',
      printed({ token: 't', clientKeyData: 'k' }),
      'exec plugin returned only certificate or key, not both',
    ],
    [
      'returns a key that does not match the certificate',
      printed({ clientCertificateData: 'certificate 1', clientKeyData: 'key 2' }),
      'failed parsing client key/certificate: they do not match',
    ],
    ['returns an invalid expiry', printed({ token: 't', expirationTimestamp: 'soon' }), 'decoding stdout: '],
    ['returns a number as token', printed({ token: 1 }), 'decoding stdout: token is not a string'],
  ])('that %s makes requests fail without revealing a secret', async (_, answer, message) => {
    const { machine, ask, asked } = await caller(exec());
    machine.answer = () => answer;
    const failure = await ask().catch((error: Error) => error.message);
    expect(failure).toContain(`getting credentials: ${message}`);
    expect(failure).not.toContain('secret');
    expect(asked).toEqual([]);
  });

  it('that is not installed is reported with its hint, without output to the terminal, a few times an hour', async () => {
    const { clock, ask } = await caller(exec({ installHint: 'get it\u001b[31m at\nhome' }));
    const failure = async () => await ask().then(String, (error: Error) => error.message);
    const first = await failure();
    expect(first).toMatch(
      /^getting credentials: exec: executable plugin not found\n\n.*jane.*\n\nget itU\+001B\[31m at\nhome$/,
    );
    for (let times = 1; times < 10; times++) expect(await failure()).toBe(first);
    expect(await failure()).toBe('getting credentials: exec: executable plugin not found');
    clock.advance(3_600_000);
    expect(await failure()).toBe(first);
  });

  it.each([
    [{ command: '' }, 'command must be specified for jane to use exec authentication plugin'],
    [{ apiVersion: '' }, 'apiVersion must be specified for jane to use exec authentication plugin'],
    [{ env: [{ value: 'x' }] }, 'env variable name must be specified for jane to use exec authentication plugin'],
    [{ interactiveMode: '' }, 'interactiveMode must be specified for jane to use exec authentication plugin'],
    [{ interactiveMode: 'Maybe' }, 'invalid interactiveMode for jane: "Maybe"'],
    [{ apiVersion: `${GROUP}/v2` }, `exec plugin: invalid apiVersion "${GROUP}/v2"`],
    [{ args: 'a' }, 'args must be a list of strings'],
    [{ env: 'a' }, 'env must be a list'],
  ])('must be valid: %j', async (more, message) => {
    await expect(caller(exec(more))).rejects.toThrow(message);
  });

  it('cannot be combined with a provider', async () => {
    await expect(caller({ ...exec(), 'auth-provider': {} })).rejects.toThrow(
      'authProvider cannot be provided in combination with an exec plugin for jane',
    );
  });
});
