import { request } from 'node:http';
import { isOurs } from './workload.mjs';

const base64 = (text) => Buffer.from(text).toString('base64');

/**
 * Reads from etcd itself, by the JSON that it offers beside gRPC, which versions the keys below a prefix had, in order, up to a revision.
 * @param until the revision of a key below the prefix
 */
export function readVersions(port, prefix, from, until) {
  const end = `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
  const body = { create_request: { key: base64(prefix), range_end: base64(end), start_revision: String(from + 1) } };
  const found = [];
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/v3/watch', agent: false }, (answer) => {
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (text) => {
        const lines = `${rest}${text}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { result, error } = JSON.parse(line);
          if (error || result.canceled) return reject(new Error(`etcd: ${line}`));
          for (const { type, kv } of result.events ?? []) {
            const key = Buffer.from(kv.key, 'base64').toString().slice(prefix.length);
            const revision = Number(kv.mod_revision);
            const value = type === 'DELETE' ? undefined : valueIn(Buffer.from(kv.value ?? '', 'base64'));
            if (isOurs(key)) found.push({ key, revision, value });
            if (revision < until) continue;
            outgoing.destroy();
            return resolve(found);
          }
        }
      });
      answer.on('close', () => reject(new Error('etcd: the watch ended')));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

/** The values of a history can be found in the bytes of an object, whatever its form is. */
const valueIn = (bytes) => /<\d+\.\d+>/.exec(bytes.toString('latin1'))?.[0] ?? '';
