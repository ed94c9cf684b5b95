import { Session } from 'node:inspector/promises';

const SAMPLING_MICROSECONDS = 100;

/** The parts of the main thread's time, and the samples that belong to them. The first one that applies counts. */
const PARTS = {
  idle: ({ name }) => name === '(idle)',
  'garbage collector': ({ name }) => name === '(garbage collector)',
  'native code: TLS, kernel, HTTP parser, event loop': ({ name, url, caller }) =>
    name === '(program)' || (url === '' && caller.startsWith('node:')),
  'JSON in the engine': ({ name, url }) => url === '' && (name === 'parse' || name === 'stringify'),
  "Node's JavaScript": ({ url }) => url.startsWith('node:'),
  'JavaScript of the server and the builtins that it calls': () => true,
};

let session;

/** Begins to profile the main thread of this process; returns a message for the parent. */
export async function startProfile() {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
  await session.post('Profiler.start');
  return 'started';
}

/** Ends the profile; returns the share of each part in the time in which the main thread was not idle. */
export async function stopProfile() {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const samples = samplesByNode(profile);
  const counts = Object.fromEntries(Object.keys(PARTS).map((part) => [part, 0]));
  const caller = new Map(
    profile.nodes.flatMap(({ children = [], callFrame }) => children.map((id) => [id, callFrame.url])),
  );
  for (const { id, callFrame } of profile.nodes) {
    const sample = { name: callFrame.functionName, url: callFrame.url, caller: caller.get(id) ?? '' };
    const [part] = Object.entries(PARTS).find(([, applies]) => applies(sample));
    counts[part] += samples.get(id) ?? 0;
  }
  const { idle, ...busy } = counts;
  const total = Object.values(busy).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(Object.entries(busy).map(([part, count]) => [part, count / total]));
}

function samplesByNode({ samples }) {
  const counts = new Map();
  for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
