import { passed } from './cluster.mjs';

/** Milliseconds from the end of one disturbance to the next one, and of how long one lasts. */
const BETWEEN = [800, 3000];
const LASTS = [50, 900];

/**
 * Disturbs a cluster until `isOver`: kills and pauses of servers and of etcd, ways that are cut. Everything runs again when it resolves.
 * @returns how often each disturbance was made
 */
export async function disturb(cluster, random, isOver) {
  const counts = {};
  const between = ([least, most]) => least + random.below(most - least);
  const kinds = {
    async killServer() {
      const server = random.pick(cluster.servers);
      await server.kill();
      await passed(between([0, 300]));
      await server.start();
    },
    async pauseServer() {
      const server = random.pick(cluster.servers);
      server.signal('SIGSTOP');
      await passed(between(LASTS));
      server.signal('SIGCONT');
    },
    async killEtcd() {
      await cluster.restartEtcd(between([0, 200]));
    },
    async pauseEtcd() {
      cluster.pauseEtcd(true);
      await passed(between(LASTS));
      cluster.pauseEtcd(false);
    },
    async cutWay() {
      const way = random.pick(cluster.ways);
      way.cut(true);
      await passed(between([0, 600]));
      way.cut(false);
    },
    /** Connections end, and others can be opened at once. */
    async resetWay() {
      const way = random.pick(cluster.ways);
      way.cut(true);
      way.cut(false);
    },
  };
  const names = Object.keys(kinds);
  while (!isOver()) {
    await passed(between(BETWEEN));
    if (isOver()) break;
    const name = random.pick(names);
    counts[name] = (counts[name] ?? 0) + 1;
    await kinds[name]();
  }
  return counts;
}
