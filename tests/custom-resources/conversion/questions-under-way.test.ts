import { expect, it } from 'vitest';
import { InFlightConversions } from '../../../src/custom-resources/conversion/webhook-converter.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';

const MIB = 1024 * 1024;

/** Conversions that end when the test says so. */
function asker() {
  const { clock } = createFakeHost();
  const underWay = new InFlightConversions(clock);
  const open: { definition: string; end: () => void }[] = [];
  const ended: Promise<void>[] = [];
  const failures: string[] = [];
  return {
    open,
    clock,
    failures,
    ask(definition: string, bytes: number, fails = false) {
      const answer = underWay.run(definition, bytes, async () => {
        await new Promise<void>((resolve) => open.push({ definition, end: resolve }));
        if (fails) throw new Error('no answer');
      });
      ended.push(answer.catch(({ message }: Error) => void failures.push(message)));
    },
    async end(definition: string) {
      const at = open.findIndex((each) => each.definition === definition);
      open.splice(at, 1)[0]?.end();
      for (let turn = 0; turn < 5; turn++) await undefined;
    },
    names: () => open.map(({ definition }) => definition).join(' '),
  };
}

it('limits the concurrent conversions of one definition, without delaying other definitions', async () => {
  const { ask, end, names } = asker();
  for (let i = 0; i < 3; i++) ask('slow', 30 * MIB);
  expect(names()).toBe('slow slow');
  ask('other', 30 * MIB);
  expect(names()).toBe('slow slow other');
  await end('slow');
  expect(names()).toBe('slow other slow');
});

it('limits the concurrent conversions of all definitions, first come first served', async () => {
  const { ask, end, names } = asker();
  for (const name of 'abcdef') ask(name, 60 * MIB);
  expect(names()).toBe('a b c d');
  await end('b');
  expect(names()).toBe('a c d e');
  await end('a');
  await end('c');
  expect(names()).toBe('d e f');
});

it('releases the slot of a conversion that failed', async () => {
  const { ask, end, names } = asker();
  ask('a', 60 * MIB, true);
  ask('a', 60 * MIB);
  await end('a');
  expect(names()).toBe('a');
  await end('a');
  ask('a', 60 * MIB);
  expect(names()).toBe('a');
});

it('lets a conversion wait at most a minute for webhooks that do not respond', async () => {
  const { ask, end, names, clock, failures } = asker();
  for (let i = 0; i < 100; i++) ask('hanging', 60 * MIB);
  clock.advance(59_999);
  ask('hanging', 60 * MIB);
  clock.advance(1);
  for (let turn = 0; turn < 5; turn++) await undefined;
  expect(failures).toHaveLength(99);
  expect(failures[0]).toContain('context deadline exceeded');
  await end('hanging');
  expect(names()).toBe('hanging');
  expect(clock.timers()).toEqual([]);
});
