import { MemoryLevel } from 'memory-level';
import { expect, it } from 'vitest';
import { event } from '../../src/exports/kinds.js';
import { level } from '../../src/exports/storage.js';
import { ApiServer } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { startServer } from '../support/servers.js';

const MINUTE = 60_000;
const where = { namespace: 'default' };

it('events are deleted an hour after their last write, however often the server restarts', async () => {
  const database = new MemoryLevel<string, string>();
  const clock = createFakeClock();
  let server = new ApiServer({ storage: level({ database }), clock });
  const restart = async (away: number) => {
    await server.close();
    clock.advance(away);
    server = await startServer({ storage: level({ database }), clock });
  };
  const names = async () =>
    (await server.client().list(event, where)).items.map(({ metadata }) => metadata.name).sort();
  const report = (name: string) =>
    server.client().create(
      event,
      {
        metadata: { name },
        eventTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
        regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
        reason: 'Because',
        action: 'Wait',
        type: 'Normal',
        reportingController: 'example.com/c',
        reportingInstance: 'c-1',
      },
      where,
    );
  await server.start();
  await report('late');
  await report('early');
  clock.advance(20 * MINUTE);
  await server.client().update(event, 'late', (draft) => void (draft.metadata.labels = { again: 'yes' }), where);
  await restart(25 * MINUTE);
  expect(await names()).toEqual(['early', 'late']);
  clock.advance(16 * MINUTE);
  await expect.poll(names).toEqual(['late']);
  await restart(30 * MINUTE);
  clock.advance(1);
  await expect.poll(names).toEqual([]);
  await server.close();
});
