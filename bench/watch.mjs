import { Connection, parseAnswer } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const WATCHERS = 100;
const EVENTS = 500;
/** Events that are made in one turn, so that they wait for the connection together. */
const TOGETHER = 10;
const OBJECT = '/api/v1/namespaces/default/configmaps/c-0';
const WATCH = '/api/v1/namespaces/default/configmaps?watch=true';

/**
 * The processor time per delivered event, compared with a bare node:https server that writes the same bytes to as many sockets. The cost of the
 * write itself, measured without watches, is subtracted and shown in another column.
 */
export default async function measure() {
  const ours = await startServer('./ours.mjs', '1');
  const bare = await startServer('./bare.mjs', ours.cert, ours.key);
  try {
    const { body } = await answerOf(ours, OBJECT);
    const event = `{"type":"MODIFIED","object":${body.trimEnd()}}\n`;
    await bare.ask({ question: 'answer', headers: ['Content-Type', 'application/json'], body: event });
    const used = (server, watchers, together) => () =>
      changeWatched(server, { ...ours, port: server.port }, watchers, together);
    const contenders = { ours: used(ours, WATCHERS), write: used(ours, 0), bare: used(bare, WATCHERS) };
    await interleaved(contenders, { rounds: 2 });
    const cost = await interleaved(contenders, { rounds: 9 });
    const delivered = cost.ours.map((all, round) => all - cost.write[round]);
    const micro = (numbers) => (median(numbers) / EVENTS / WATCHERS).toFixed(1);
    const waiting = await interleaved(
      { ours: used(ours, WATCHERS, TOGETHER), write: used(ours, 0, TOGETHER), bare: used(bare, WATCHERS, TOGETHER) },
      { rounds: 5 },
    );
    const sent = waiting.ours.map((all, round) => all - waiting.write[round]);
    return [
      row({
        topic: `watch event of ${TOGETHER} that wait, to ${WATCHERS} sockets`,
        measured: ratio(sent, waiting.bare),
        target: 1.5,
        better: 'less',
        detail: `${micro(sent)} against ${micro(waiting.bare)} µs a delivery, one write of the same bytes`,
      }),
      row({
        topic: `watch event to ${WATCHERS} sockets, processor time`,
        measured: ratio(delivered, cost.bare),
        target: 1.3,
        better: 'less',
        detail: `${micro(delivered)} against ${micro(cost.bare)} µs a delivery, ${event.length} bytes`,
      }),
      row({
        topic: 'the same with the write that made it',
        measured: ratio(cost.ours, cost.bare),
        better: 'less',
        detail: `the write ${Math.round(median(cost.write) / EVENTS)} µs`,
      }),
    ];
  } finally {
    await bare.stop();
    await ours.stop();
  }
}

/** Processor time of the server while so many watch and it makes its events. */
async function changeWatched(server, target, watchers, together = 1) {
  let received = 0;
  const count = (length) => {
    received += length;
  };
  const connections = await Promise.all(Array.from({ length: watchers }, () => Connection.open(target, WATCH)));
  for (const connection of connections) connection.listen(count);
  await quiet(() => received);
  const used = await server.ask({ question: 'change', times: EVENTS, together });
  await quiet(() => received);
  for (const connection of connections) connection.close();
  await quiet(() => 0);
  return used;
}

async function answerOf(target, path) {
  const connection = await Connection.open(target, path);
  const answer = await connection.answer();
  connection.close();
  return parseAnswer(answer);
}

/** Waits until a number has stopped to grow. */
async function quiet(number) {
  for (let before = -1; number() !== before; ) {
    before = number();
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
