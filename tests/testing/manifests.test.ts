import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer, isInvalid } from '../../src/index.js';
import { configMap } from '../../src/resources/core/index.js';
import { manifests } from '../../src/testing/servers.js';
import { openServer } from '../support/servers.js';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const map = (name: string, namespace = 'shop') =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });

beforeAll(() => {
  for (const inside of ['more', 'more/deep', 'empty', '.hidden']) mkdirSync(join(folder, inside));
  write('a.yaml', `${map('a')}\n---\n${map('a2')}\n`);
  write('b.json', map('b'));
  write('z.yml', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
  write('readme.md', '# not a manifest');
  write('more/c.yaml', map('c'));
  write('more/deep/d.yaml', map('d'));
  write('.hidden/e.yaml', map('e'));
  symlinkSync(folder, join(folder, 'more/back'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const names = async (path: string | URL) =>
  (await manifests(path).read()).map(({ name }) => name.slice(folder.length + 1));

describe('manifests', () => {
  it('selects the files of a folder, a glob or a URL, sorted', async () => {
    expect(await names(folder)).toEqual(['a.yaml', 'b.json', 'z.yml']);
    expect(await names(`${folder}/`)).toEqual(['a.yaml', 'b.json', 'z.yml']);
    expect(await names(pathToFileURL(`${folder}/`))).toEqual(['a.yaml', 'b.json', 'z.yml']);
    expect(await names(`${folder}/b.json`)).toEqual(['b.json']);
    expect(await names(`${folder}/*.y*ml`)).toEqual(['a.yaml', 'z.yml']);
    expect(await names(`${folder}/?.json`)).toEqual(['b.json']);
    expect(await names(`${folder}/**/*.yaml`)).toEqual(['a.yaml', 'more/c.yaml', 'more/deep/d.yaml']);
    expect(await names(`${folder}/m*/**`)).toEqual(['more/c.yaml', 'more/deep/d.yaml']);
    expect(await names(`${folder}/m*/c.yaml`)).toEqual(['more/c.yaml']);
  });

  it('refuses a path that is missing or has no manifests', async () => {
    await expect(manifests(`${folder}/none`).read()).rejects.toThrow(`open ${folder}/none: no such file or directory`);
    await expect(manifests(`${folder}/empty`).read()).rejects.toThrow(
      'there is no file that ends in .yaml, .yml, .json',
    );
    await expect(manifests(`${folder}/*.txt`).read()).rejects.toThrow('*.txt: there is no file');
    await expect(manifests(`${folder}/*.{yaml,json}`).read()).rejects.toThrow('(only *, ? and ** are wildcards)');
    expect(() => manifests('')).toThrow(TypeError);
    await using server = new ApiServer();
    await expect(server.load(manifests('no-such-folder'))).rejects.toThrow('open no-such-folder: no such file');
  });

  it('loads them, namespaces first, before the start and later', async () => {
    for (const before of [true, false]) {
      await using server = new ApiServer({ dialect: 'k8s' });
      if (!before) await server.start();
      expect(await server.load(manifests(folder))).toBe(4);
      await server.start();
      const { items } = await server.client().list(configMap, { namespace: 'shop' });
      expect(items.map(({ metadata }) => metadata.name).filter((name = '') => /^[ab]/.test(name))).toEqual([
        'a',
        'a2',
        'b',
      ]);
    }
  });

  it('names the file of an invalid manifest', async () => {
    await using server = await openServer();
    const bad = mkdtempSync(join(folder, 'bad-'));
    const load = async (text: string) => {
      writeFileSync(join(bad, 'bad.yaml'), text);
      return await server.load(manifests(bad));
    };
    await expect(load('a: [')).rejects.toThrow(`${bad}/bad.yaml: `);
    await expect(load('just text')).rejects.toThrow(`${bad}/bad.yaml: a document to load must be an object`);
    await expect(load('metadata: {name: a}')).rejects.toThrow('must have apiVersion and kind: {"name":"a"}');
    await expect(load('{"apiVersion":"v1","kind":"Cat"}')).rejects.toThrow(
      `${bad}/bad.yaml: no kind Cat in v1 is served`,
    );
    const refused = load(map('Not_A_Name', 'default'));
    await expect(refused).rejects.toThrow(`${bad}/bad.yaml: ConfigMap "Not_A_Name" is invalid`);
    await expect(refused).rejects.toSatisfy(isInvalid);
  });
});
