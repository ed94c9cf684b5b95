import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alwaysAllow } from '../../src/exports/authorization.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { hasKubectl, type KubectlCluster, kubectlCluster, type Printed, runKubectl } from './kubectl.js';

interface Command {
  readonly run: string;
  readonly fails?: boolean;
  readonly outputHas?: string | readonly string[];
}
interface Look {
  readonly get: string;
  readonly template: string;
  readonly equals: string;
}
interface Cases {
  readonly files: Readonly<Record<string, unknown>>;
  readonly cases: readonly { readonly name: string; readonly steps: readonly (Command | Look)[] }[];
}

const NONE: Cases = { files: {}, cases: [] };
const { files, cases } = readShared<Cases>('data/kubectl-cases/kubectl-cases.json', NONE);

/** Splits a command line into words, without the quotes that only a shell needs. */
const wordsOf = (line: string): readonly string[] => line.split(' ').map((word) => word.replaceAll('"', ''));

describe.skipIf(!hasKubectl || !hasSharedData)(
  "the upstream's command lines (skipped without kubectl on the PATH or without the data)",
  () => {
    let cluster: KubectlCluster;
    let run: (args: readonly string[]) => Promise<Printed>;

    beforeAll(async () => {
      // As in upstream's environment, the default roles exist, and every user may do everything.
      cluster = await kubectlCluster({ authorization: (defaults) => [...defaults, alwaysAllow()] });
      const { config: kubeconfig, folder: home } = cluster;
      run = (args) => runKubectl({ kubeconfig, home }, args);
      for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), JSON.stringify(content));
    });
    afterAll(() => cluster[Symbol.asyncDispose]());

    /** The files are relative to the folder in which the command runs. */
    const placed = (word: string) => (Object.hasOwn(files, word) ? join(cluster.folder, word) : word);

    // The cases run in order, because later ones may use the objects of earlier ones.
    it.each(cases)('$name', async ({ steps }) => {
      for (const step of steps) {
        if ('get' in step) {
          const { stdout, stderr } = await run(['get', step.get, '-o', `go-template=${step.template}`]);
          expect([step, stdout, stderr]).toEqual([step, step.equals, '']);
          continue;
        }
        const { failed, stdout, stderr } = await run(wordsOf(step.run).map(placed));
        expect([step.run, failed, failed && !step.fails ? stderr : '']).toEqual([step.run, step.fails ?? false, '']);
        // Some releases of kubectl begin a warning with a capital letter.
        const printed = (stdout + stderr).toLowerCase();
        for (const text of [step.outputHas ?? []].flat()) expect(printed).toContain(text.toLowerCase());
      }
    });
  },
);
