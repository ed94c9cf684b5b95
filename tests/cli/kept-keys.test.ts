import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptKeys } from '../../src/cli/kept-keys.js';
import { withKeptCertificate } from '../../src/cli/listen-options.js';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const kept = (folder: string) => keptKeys(parseFlags([`--cert-dir=${folder}`]).values);

describe('--cert-dir', () => {
  it('stores files that only the owner may read, and nothing else', async () => {
    const folder = join(parent, 'new');
    const first = await kept(folder);
    expect(readdirSync(folder).sort()).toEqual(['ca.crt', 'ca.key', 'sa.key']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await kept(folder)).toEqual(first);
  });

  it.skipIf(process.platform === 'win32')('is refused if others may write to it', async () => {
    chmodSync(parent, 0o777);
    await expect(kept(parent)).rejects.toThrow(`--cert-dir ${parent}: other users may write to this folder`);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('does not write through a symbolic link', async () => {
    const victim = join(parent, 'victim');
    const folder = join(parent, 'keys');
    await kept(folder);
    rmSync(join(folder, 'sa.key'));
    symlinkSync(victim, join(folder, 'sa.key'));
    const { accountKey } = await kept(folder);
    expect(accountKey).toContain('PRIVATE KEY');
    expect(readdirSync(parent)).toEqual(['keys']);
  });

  it.each([['ca.new'], ['ca.new', 'ca.key'], ['ca.new', 'ca.key', 'ca.crt']])(
    'is completed after a start that was interrupted after %s',
    async (...there) => {
      const whole = join(parent, 'whole');
      const { authority } = await kept(whole);
      const folder = join(parent, 'broken');
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, 'ca.new'), JSON.stringify(authority));
      for (const name of there.slice(1)) copyFileSync(join(whole, name), join(folder, name));
      expect((await kept(folder)).authority).toEqual(authority);
      expect(readdirSync(folder).sort()).toEqual(['ca.crt', 'ca.key', 'sa.key']);
      expect((await kept(folder)).authority).toEqual(authority);
    },
  );

  it('is shared by programs that start at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const folder = join(parent, `keys${round}`);
      const all = await Promise.all(Array.from({ length: 8 }, () => kept(folder)));
      const stored = await kept(folder);
      for (const each of all) expect(each).toEqual(stored);
      expect(readdirSync(folder).sort()).toEqual(['ca.crt', 'ca.key', 'sa.key']);
    }
  });

  it('stores the key for tokens of a server without a CA of its own', async () => {
    const { values } = parseFlags([`--cert-dir=${join(parent, 'keys')}`]);
    const first = await keptKeys(values, false);
    expect(first.authority).toBeUndefined();
    expect(readdirSync(join(parent, 'keys'))).toEqual(['sa.key']);
    expect(await keptKeys(values, false)).toEqual(first);
  });

  it('is in --data-dir by default', async () => {
    const both = [`--data-dir=${join(parent, 'data')}`, `--cert-dir=${join(parent, 'keys')}`];
    await keptKeys(parseFlags(both.slice(0, 1)).values);
    expect(readdirSync(join(parent, 'data', 'pki')).sort()).toEqual(['ca.crt', 'ca.key', 'sa.key']);
    await keptKeys(parseFlags(both).values);
    expect(readdirSync(join(parent, 'keys')).sort()).toEqual(['ca.crt', 'ca.key', 'sa.key']);
  });

  it('is refused if the CA has no key or no certificate', async () => {
    writeFileSync(join(parent, 'ca.crt'), '');
    await expect(kept(parent)).rejects.toThrow('must both exist or both be absent');
  });

  it('is refused if the CA has the key of another one, or a part of its own', async () => {
    const [one, other] = [join(parent, 'one'), join(parent, 'other')];
    const { authority } = await kept(one);
    await kept(other);
    const refused = 'are not a certificate and its private key';
    copyFileSync(join(other, 'ca.key'), join(one, 'ca.key'));
    await expect(kept(one)).rejects.toThrow(refused);
    writeFileSync(join(one, 'ca.key'), authority?.key.slice(0, 150) ?? '');
    await expect(kept(one)).rejects.toThrow(refused);
    writeFileSync(join(one, 'ca.key'), authority?.key ?? '');
    expect((await kept(one)).authority).toEqual(authority);
  });

  it.each(['2020-01-01', '2040-01-01'])('is used with a warning if the CA is not valid, but on %s', async (day) => {
    const authority = await createCertificateAuthority({ commonName: 'ca', now: Date.parse(day), days: 10 });
    writeFileSync(join(parent, 'ca.crt'), authority.certificate);
    writeFileSync(join(parent, 'ca.key'), authority.key);
    const lines: string[] = [];
    const { values } = parseFlags([`--cert-dir=${parent}`]);
    expect((await keptKeys(values, true, (line) => void lines.push(line))).authority).toEqual(authority);
    expect(lines).toEqual([expect.stringContaining(`${join(parent, 'ca.crt')} is valid from `)]);
  });

  it('is refused if a file of an interrupted start is damaged', async () => {
    writeFileSync(join(parent, 'ca.new'), '{"certificate":');
    await expect(kept(parent)).rejects.toThrow(`${join(parent, 'ca.new')} is damaged: remove it`);
  });

  it.each([0, 100])(
    'is refused if the file for the key of tokens contains no key, but %i bytes of one',
    async (length) => {
      const { accountKey = '' } = await kept(join(parent, 'whole'));
      writeFileSync(join(parent, 'sa.key'), accountKey.slice(0, length));
      await expect(kept(parent)).rejects.toThrow(`${join(parent, 'sa.key')} contains no private key`);
    },
  );
});

describe('a serving certificate in --cert-dir', () => {
  const chosen = async (...flags: string[]) => {
    const values = await withKeptCertificate(parseFlags([`--cert-dir=${parent}`, ...flags]).values);
    return [values['tls-cert-file'], values['tls-private-key-file']];
  };
  const [certificate, key] = ['apiserver.crt', 'apiserver.key'] as const;

  it('is used unless flags name another one', async () => {
    expect(await chosen()).toEqual([undefined, undefined]);
    for (const name of [certificate, key]) writeFileSync(join(parent, name), 'PEM');
    expect(await chosen()).toEqual([join(parent, certificate), join(parent, key)]);
    expect(await chosen('--tls-cert-file=a', '--tls-private-key-file=b')).toEqual(['a', 'b']);
  });

  it.each([
    [certificate, key],
    [key, certificate],
  ])('is refused if there is only %s', async (present, absent) => {
    writeFileSync(join(parent, present), 'PEM');
    await expect(chosen()).rejects.toThrow(
      `error reading ${join(parent, absent)}, certificate and key must be supplied as a pair`,
    );
  });
});
