import type { Host } from './host.js';

/**
 * What is read from listers. Where that throws, this server may not have heard of what another one has stored: it is read once more,
 * when it has.
 */
export function readAnew<T>({ catchUp }: Pick<Host, 'catchUp'>, read: () => T): T | Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!catchUp) throw error;
    return catchUp().then((hasHeard) => {
      if (!hasHeard) throw error;
      return read();
    });
  }
}
