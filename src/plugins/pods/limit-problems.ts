import type { LimitRangeItem } from '../../resources/core/core-v1.types.js';
import { parseQuantity, quantityToNumber } from '../../values/quantity.js';
import { type Amounts, amountOf, compareAmounts } from '../amounts.js';

const isLess = (a: string, b: string): boolean => a !== b && compareAmounts(a, b) < 0;
const numberOf = (amount: string | undefined): number =>
  amount === undefined ? 0 : quantityToNumber(parseQuantity(amount));

/** Returns how the amounts of a container or a pod violate a limit range. */
export function limitProblems(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const { type, max = {}, maxLimitRequestRatio = {} } = item;
  const problems = minProblems(item, requests, limits);
  for (const [name, most] of Object.entries(max)) {
    const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
    const refuse = (why: string) => problems.push(`maximum ${name} usage per ${type} is ${most}${why}`);
    if (limit === undefined) refuse('.  No limit is specified');
    else if (isLess(most, limit)) refuse(`, but limit is ${limit}`);
    else if (request !== undefined && isLess(most, request)) refuse(`, but request is ${request}`);
  }
  for (const [name, most] of Object.entries(maxLimitRequestRatio)) {
    const [request, limit] = [numberOf(amountOf(requests, name)), numberOf(amountOf(limits, name))];
    const refuse = (why: string) =>
      problems.push(`${name} max limit to request ratio per ${type} is ${most}, but ${why}`);
    if (request === 0) refuse('no request is specified or request is 0');
    else if (limit === 0) refuse('no limit is specified or limit is 0');
    else if (limit / request > numberOf(most)) refuse(`provided ratio is ${(limit / request).toFixed(6)}`);
  }
  return problems;
}

/** Returns how the requests of a claim violate a limit range; claims have no limits. */
export function requestProblems(item: LimitRangeItem, requests: Amounts): string[] {
  const problems = minProblems(item, requests, {});
  for (const [name, most] of Object.entries(item.max ?? {})) {
    const request = amountOf(requests, name);
    const refuse = (why: string) => problems.push(`maximum ${name} usage per ${item.type} is ${most}${why}`);
    if (request === undefined) refuse('.  No request is specified');
    else if (isLess(most, request)) refuse(`, but request is ${request}`);
  }
  return problems;
}

function minProblems({ type, min = {} }: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const problems: string[] = [];
  for (const [name, least] of Object.entries(min)) {
    const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
    const refuse = (why: string) => problems.push(`minimum ${name} usage per ${type} is ${least}${why}`);
    if (request === undefined) refuse('.  No request is specified');
    else if (isLess(request, least)) refuse(`, but request is ${request}`);
    else if (limit !== undefined && isLess(limit, least)) refuse(`, but limit is ${limit}`);
  }
  return problems;
}
