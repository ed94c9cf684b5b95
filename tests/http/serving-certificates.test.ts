import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { readNamedFiles } from '../../src/cli/tls-options.js';
import { type ListenOptions, listen } from '../../src/http/index.js';
import { issueServingCertificate, loadCertificateMaker } from '../../src/http/serving-certificates.js';
import { canSharePorts } from '../../src/http/share-ports.js';
import { answering, text } from './stub-server.js';

const maker = await loadCertificateMaker();
const authority = await maker.createCertificateAuthority({ commonName: 'test-ca' });
/** A certificate for a host, in the form of the listener's options. */
const certified = async (host: string, ...names: string[]) => {
  const { certificate: cert, key } = await issueServingCertificate(maker, authority, host, names);
  return { cert, key };
};

/** Returns which of some certificates a client receives for a server name. */
const askOne = (port: number, names: Record<string, string>, servername: string | undefined, protocol: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = tls.connect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      ALPNProtocols: [protocol],
      ...(servername === undefined ? {} : { servername }),
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const pem = socket.getPeerX509Certificate()?.toString().trim();
      const [found = 'another'] = Object.entries(names).find(([, cert]) => cert.trim().startsWith(pem ?? '-')) ?? [];
      resolve(`${found} ${socket.alpnProtocol}`);
      socket.destroy();
    });
  });

/** Returns the same for several names, and for the first name with both protocols. */
async function shown(options: ListenOptions, names: Record<string, string>, asked: readonly (string | undefined)[]) {
  const listener = await listen(
    answering(() => text('ok')),
    options,
  );
  const ask = (servername: string | undefined, protocol: string) => askOne(listener.port, names, servername, protocol);
  try {
    const answers = [];
    for (const name of asked) answers.push(await ask(name, 'h2'));
    answers.push(await ask(asked[0], 'http/1.1'));
    return answers;
  } finally {
    await listener.close({ graceMilliseconds: 0 });
  }
}

describe('certificates by name', () => {
  it('are selected by the name that a client sends; without one, or for another, the default certificate is used', async () => {
    const [own, api, any] = await Promise.all([
      certified('127.0.0.1'),
      certified('api.example.com'),
      certified('any.example.org', '*.example.org'),
    ]);
    const found = await shown(
      { tls: own, namedCertificates: [api, any] },
      { own: own.cert, api: api.cert, any: any.cert },
      ['api.example.com', 'API.Example.com', 'x.example.org', 'a.b.example.org', 'example.org', 'other', undefined],
    );
    expect(found).toEqual(['api h2', 'api h2', 'any h2', 'own h2', 'own h2', 'own h2', 'own h2', 'api http/1.1']);
  });

  it('use given names instead of their own; these come first, exact ones before wildcards, in order', async () => {
    const [own, one, two, three] = await Promise.all([
      certified('127.0.0.1'),
      certified('a.example.com', 'b.example.com'),
      certified('a.example.com'),
      certified('three.example.com'),
    ]);
    const namedCertificates = [
      one,
      { ...two, names: ['b.example.com', '*.example.com'] },
      { ...three, names: ['b.example.com', 'c.example.com'] },
    ];
    const names = { own: own.cert, one: one.cert, two: two.cert, three: three.cert };
    const found = await shown({ tls: own, namedCertificates }, names, [
      'a.example.com',
      'b.example.com',
      'c.example.com',
      'd.example.com',
      'three.example.com',
    ]);
    expect(found).toEqual(['one h2', 'two h2', 'three h2', 'two h2', 'two h2', 'one http/1.1']);
  });

  it('are used for names that only they have, unless the default certificate has them as well', async () => {
    const [own, other] = await Promise.all([
      certified('127.0.0.1', 'own.example.com'),
      certified('own.example.com', 'other.example.com'),
    ]);
    const found = await shown(
      { tls: own, namedCertificates: [{ ...other, names: ['given.example.com'] }] },
      { own: own.cert, other: other.cert },
      ['other.example.com', 'given.example.com', 'own.example.com', 'neither.example.com', undefined],
    );
    expect(found).toEqual(['other h2', 'other h2', 'own h2', 'own h2', 'own h2', 'other http/1.1']);
  });

  it('are selected by the local address for a client without a name, if the address was given as a name', async () => {
    const [own, other] = await Promise.all([certified('127.0.0.1'), certified('127.0.0.1', 'other.example.com')]);
    const names = { own: own.cert, other: other.cert };
    const asked = [undefined, 'other.example.com', 'localhost'];
    const given = { ...other, names: ['127.0.0.1', 'other.example.com'] };
    expect(await shown({ tls: own, namedCertificates: [given] }, names, asked)).toEqual([
      'other h2',
      'other h2',
      'own h2',
      'other http/1.1',
    ]);
    // The addresses in the certificate itself do not count as names.
    expect(await shown({ tls: own, namedCertificates: [other] }, names, asked)).toEqual([
      'own h2',
      'other h2',
      'other h2',
      'own http/1.1',
    ]);
  });

  it('keep their addresses when they are renewed', async () => {
    const [own, one, two] = await Promise.all([certified('127.0.0.1'), certified('one'), certified('two')]);
    const at = (address: string, { cert, key }: typeof one) => [{ cert, key, names: [address] }];
    const listener = await listen(
      answering(() => text('ok')),
      { tls: own, namedCertificates: at('10.0.0.1', one) },
    );
    const names = { own: own.cert, one: one.cert, two: two.cert };
    const found = [await askOne(listener.port, names, undefined, 'h2')];
    for (const namedCertificates of [at('127.0.0.1', one), at('127.0.0.1', two), at('10.0.0.1', two)]) {
      await listener.renewCertificates({ namedCertificates });
      found.push(await askOne(listener.port, names, undefined, 'h2'));
    }
    expect(found).toEqual(['own h2', 'one h2', 'two h2', 'own h2']);
    await listener.close({ graceMilliseconds: 0 });
  });

  it('must match their keys', async () => {
    const [one, other] = await Promise.all([certified('a.example.com'), certified('b.example.com')]);
    const options = { namedCertificates: [{ cert: one.cert, key: other.key }] };
    await expect(
      listen(
        answering(() => text('ok')),
        options,
      ),
    ).rejects.toThrow(/^the certificate for server names or its key cannot be used .*key values mismatch/);
  });

  it.each([
    ['that is not PEM', 'none'],
    ['of another certificate', undefined],
  ])('are refused with a key %s', async (_, key) => {
    const [one, other] = await Promise.all([certified('a.example.com'), certified('b.example.com')]);
    const listening = listen(
      answering(() => text('ok')),
      { tls: { cert: one.cert, key: key ?? other.key } },
    );
    await expect(listening).rejects.toThrow('the serving certificate or its key cannot be used');
  });

  it.each([
    ['a.crt,a.key', { cert: 'a.crt', key: 'a.key' }],
    [' a.crt , a.key : *.foo.com , foo.com', { cert: 'a.crt', key: 'a.key', names: ['*.foo.com', 'foo.com'] }],
  ])('are configured by a flag: %s', (given, files) => {
    expect(readNamedFiles(given)).toEqual(files);
  });

  it.each([
    ['a.crt', 'expected comma separated certificate and key file paths'],
    ['a.crt,a.key,b', 'expected comma separated certificate and key file paths'],
    ['a.crt,a.key:', 'empty names list is not allowed'],
  ])('are refused if the flag is malformed: %s', (given, why) => {
    expect(() => readNamedFiles(given)).toThrow(why);
  });
});

describe('a port', () => {
  it('is shared with other processes only if Node supports it', async () => {
    const open = () =>
      listen(
        answering(() => text('ok')),
        { tls: false, reusePort: true },
      );
    if (!canSharePorts)
      await expect(open()).rejects.toThrow('this version of Node.js cannot share a port (option reusePort)');
    else await (await open()).close();
  });
});
