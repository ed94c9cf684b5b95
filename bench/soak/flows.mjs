// The clients of two flows that share one priority level, in their own process.
import https from 'node:https';
import { serveParent } from '../servers/process.mjs';
import { Api } from './api.mjs';

/** The seats of the level that both flows share: 5 of 250 shares of 600. */
const SEATS = 12;
/** The concurrent requests of each flow: twice as many as there are seats, and an uneven number. */
const DEMAND = { 'flow-a': 7 / 6, 'flow-b': 5 / 6 };

async function overload({ server, milliseconds }) {
  const served = { 'flow-a': 0, 'flow-b': 0 };
  let refused = 0;
  const begin = Date.now();
  // The beginning fills the queues, and requests served after the end have waited, so both depend on the number of requests only.
  const counts = () => {
    const passed = Date.now() - begin;
    return passed > milliseconds / 5 && passed < milliseconds;
  };
  const flows = Object.entries(DEMAND).map(async ([user, share]) => {
    const callers = Math.round(SEATS * share);
    const agent = new https.Agent({ keepAlive: true, maxSockets: callers });
    const api = new Api(server, user, agent);
    const body = { metadata: { generateName: 'fair-' } };
    const call = async () => {
      while (Date.now() - begin < milliseconds) {
        // A kind without watches: seats for watches would advance the virtual time of fair queuing, as in upstream, after which requests
        // are served in the order of their arrival.
        const { status } = await api.call('POST', '/api/v1/namespaces/fair/secrets?dryRun=All', body);
        if (status === 201 && counts()) served[user]++;
        if (status === 429) refused++;
        else if (status !== 201) throw new Error(`${user}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    api.close();
  });
  await Promise.all(flows);
  return { served, refused };
}

serveParent({}, { overload: (parameters) => overload(parameters).catch(({ message }) => ({ problem: message })) });
