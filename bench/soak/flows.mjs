// The callers of two flows that share one priority level, in a process of their own.
import https from 'node:https';
import { serveParent } from '../servers/process.mjs';
import { Api } from './api.mjs';

/** Seats of the level that both flows share: 5 of 250 shares of 600. */
const SEATS = 12;
/** What each flow asks for at once, in seats: twice what there is, and unevenly. */
const DEMAND = { 'flow-a': 7 / 6, 'flow-b': 5 / 6 };

async function overload({ server, milliseconds }) {
  const served = { 'flow-a': 0, 'flow-b': 0 };
  let refused = 0;
  const begin = Date.now();
  // The beginning fills the queues, and what is served after the end is what waited: as much as was asked for.
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
        // Of a kind that nobody watches: seats that are taken for watches make the virtual world of fair queuing run ahead, there
        // as here, and who comes first is served first then.
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
