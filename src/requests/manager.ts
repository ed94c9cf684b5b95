import { managerName } from '../fields/field-manager.js';
import type { Exchange } from './exchange.js';

/** Who owns what the request writes: the parameter, else the program's name (gap file 2.4). */
export function managerOf({ request }: Exchange, fieldManager: string): string {
  return managerName(fieldManager, request.headers.get('user-agent') ?? '');
}
