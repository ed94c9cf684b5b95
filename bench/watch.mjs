import { Connection, parseAnswer } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const WATCHERS = 100;
const EVENTS = 300;
const PATH = '/api/v1/namespaces/default/configmaps?watch=true';

/**
 * Processor time per delivered event, the write that made it included, against a bare node:https server that writes
 * the same bytes to as many sockets; and of the write alone, while nobody watches.
 */
export default async function measure() {
  const ours = await startServer('./ours.mjs', '1');
  const bare = await startServer('./bare.mjs', ours.cert, ours.key);
  try {
    const { headers } = parseAnswer(await answerOf(ours, '/api/v1/namespaces/default/configmaps/c-0'));
    const kept = headers.filter((_, index) => !/^content-length$/i.test(headers[index - (index % 2)]));
    const event = await eventOf(ours);
    await bare.ask({ question: 'answer', headers: kept, body: event });
    const deliver = (server, watchers) => async () => {
      const count = watchers || 1;
      const used = await changeWatched(server, { ...ours, port: server.port }, watchers);
      return used / (EVENTS * count);
    };
    const cost = await interleaved(
      { ours: deliver(ours, WATCHERS), bare: deliver(bare, WATCHERS), write: deliver(ours, 0) },
      { rounds: 7 },
    );
    return [
      row({
        topic: `watch event to ${WATCHERS} sockets, processor time`,
        measured: ratio(cost.ours, cost.bare),
        target: 1.3,
        better: 'less',
        detail: `${micro(cost.ours)} against ${micro(cost.bare)} µs a delivery; the write itself ${micro(cost.write)} µs; ${event.length} bytes`,
      }),
    ];
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

/** Processor time of the server while so many watch and it makes its events. */
async function changeWatched(server, target, watchers) {
  let received = 0;
  const count = (length) => {
    received += length;
  };
  const connections = await Promise.all(Array.from({ length: watchers }, () => Connection.open(target, PATH)));
  for (const connection of connections) connection.listen(count);
  await quiet(() => received);
  const used = await server.ask({ question: 'change', times: EVENTS });
  await quiet(() => received);
  for (const connection of connections) connection.close();
  await sleep(50);
  return used;
}

async function answerOf(target, path) {
  const connection = await Connection.open(target, path);
  const answer = await connection.answer();
  connection.close();
  return answer;
}

/** The bytes of one event, as they are without the frame of its chunk. */
async function eventOf(server) {
  let text = '';
  const { default: https } = await import('node:https');
  const { port, cert, key } = server;
  const request = https.get({ host: '127.0.0.1', port, path: PATH, cert, key, rejectUnauthorized: false });
  request.on('response', (response) => response.setEncoding('latin1').on('data', (data) => (text += data)));
  await quiet(() => text.length);
  const before = text.length;
  await server.ask({ question: 'change', times: 1 });
  await quiet(() => text.length);
  request.on('error', () => {}).destroy();
  return text.slice(before);
}

/** Waits until a number has stopped to grow. */
async function quiet(number) {
  for (let before = -1; number() !== before; await sleep(60)) before = number();
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const micro = (numbers) => median(numbers).toFixed(1);
