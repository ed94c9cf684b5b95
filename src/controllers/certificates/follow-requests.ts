import { groupOf } from '../../meta/dialect.js';
import { certificateSigningRequest } from '../../resources/certificates/index.js';
import type { ControllerContext } from '../controller.js';

/** Queues the name of every certificate request that exists, and then of every one that changes. */
export function followRequests({ host, queue }: ControllerContext): () => void {
  const lister = host.lister(groupOf(host.dialect, 'certificates'), certificateSigningRequest.plural);
  for (const { metadata } of lister.list()) queue.add(metadata.name ?? '');
  return lister.onChange((next, previous) => queue.add((next ?? previous)?.metadata.name ?? ''));
}
