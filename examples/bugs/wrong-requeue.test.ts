import { type Client, configMap } from 'orch-apiserver';
import { WorkQueue } from 'orch-apiserver/controllers';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Processes the queued keys, and publishes each announcement once. */
async function publish(client: Client, queue: WorkQueue, bug: boolean): Promise<void> {
  for (let name = queue.take(); name !== undefined; name = queue.take()) {
    try {
      await client.patch(configMap, name, { data: { published: 'yes' } }, where);
      queue.forget(name);
    } catch {
      // A failed key is queued again. Otherwise it would wait for the next change of its object, which may never happen.
      if (bug) queue.forget(name);
      else queue.retry(name);
    }
  }
}

describe('a wrong requeue', () => {
  catches(async ({ clock, faults, client, user }, bug) => {
    await user.create(configMap, { metadata: { name: 'news' } }, where);
    const queue = new WorkQueue(clock);
    queue.add('news');

    faults.on({ verb: 'patch', resource: 'configmaps', nth: [1, 2] }).answer(503);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await publish(client, queue, bug);
      clock.advance(60_000);
    }

    const news = await user.get(configMap, 'news', where);
    expect(news.data).toEqual({ published: 'yes' });
  });
});
