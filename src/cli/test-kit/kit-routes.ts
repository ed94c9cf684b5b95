import { didYouMean } from '../../values/did-you-mean.js';

/** A response of the test kit, with a JSON body. */
export interface KitAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Answers the requests below one top-level path of the test kit, such as `/faults`. `rest` contains the path segments after it.
 * @throws TypeError for a malformed body, which the test kit answers with 400.
 */
export type KitRoutes = (
  method: string,
  rest: readonly string[],
  body: unknown,
) => KitAnswer | undefined | Promise<KitAnswer | undefined>;

/** Returns a response whose message says what is wrong with the request. */
export const problem = (status: number, message: string): KitAnswer => ({ status, body: { message } });

/** Returns the members of a body. @throws TypeError for a body that is not an object or has a member that is not in `known`. */
export function members(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new TypeError('the body must be a JSON object');
  for (const name of Object.keys(body))
    if (!known.includes(name)) throw new TypeError(`unknown member ${name}${didYouMean(name, known)}`);
  return body as Readonly<Record<string, unknown>>;
}
