import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/* The CEL engine in a bundle of its own, as a program uses it that imports nothing else. */

const entry = new URL('../../src/cel/index.ts', import.meta.url).pathname;
const bundle = (platform: 'node' | 'browser', format: 'esm' | 'cjs' | 'iife') =>
  build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform,
    format,
    globalName: 'cel',
    logLevel: 'silent',
  });

describe('the CEL engine by itself', () => {
  let found: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    found = await bundle('browser', 'iife');
  });
  const code = () => found.outputFiles[0]?.text ?? '';

  it('imports nothing of the server, and no package but the one for regular expressions', () => {
    const files = Object.keys(found.metafile.inputs);
    const rooms = files
      .map((file) => /(?:^|\/)src\/(?:([^/]+)\/)/.exec(file)?.[1])
      .filter((room) => room !== undefined);
    // The folders that the engine depends on do not contain requests, storage or the network.
    const below = ['json', 'meta', 'schema', 'values'];
    expect([...new Set(rooms)].filter((room) => !below.includes(room))).toEqual(['cel']);
    const packages = files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
    expect([...new Set(packages.filter((name) => name !== undefined))]).toEqual(['re2js']);
  });

  it('runs without generated code, regular expressions included', () => {
    const program = `${code()}
      const environment = cel.createEnvironment({ libraries: cel.kubernetesLibraries(31), variables: [{ name: 's', type: cel.STRING }] });
      const source = 's.matches("^[a-z]+$") && [1, 2].all(x, x > 0) && quantity("1Gi").isGreaterThan(quantity("1M"))';
      const checked = cel.check(environment, environment.parse(source));
      console.log(cel.compile(environment, checked).evaluate({ s: 'abc' }).outcome);`;
    const flags = ['--disallow-code-generation-from-strings', '--input-type=commonjs', '-'];
    const { stdout, stderr } = spawnSync(process.execPath, flags, { input: program, encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['true', '']);
  });

  it('is loaded only by servers that evaluate an expression', async () => {
    const { metafile } = await build({
      entryPoints: [new URL('../../src/everything.ts', import.meta.url).pathname],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      splitting: true,
      outdir: 'out',
      logLevel: 'silent',
    });
    const seen = new Set(Object.keys(metafile.inputs).filter((file) => file.endsWith('src/everything.ts')));
    for (const file of seen) {
      for (const { kind, path } of metafile.inputs[file]?.imports ?? [])
        if (kind === 'import-statement') seen.add(path);
    }
    const engine = [...seen].filter((file) => /src\/cel\/(?:checker|compile|contexts|environments)\//.test(file));
    expect(engine).toEqual([]);
  });
});
