import { parseQuantity, quantityToNumber } from '../../values/quantity.js';
import { type Amounts, amountOf, compareAmounts } from '../amounts.js';

/** One item of a limit range. */
export interface LimitItem {
  readonly type: string;
  readonly min?: Amounts;
  readonly max?: Amounts;
  readonly default?: Amounts;
  readonly defaultRequest?: Amounts;
  readonly maxLimitRequestRatio?: Amounts;
}

const isLess = (a: string, b: string): boolean => compareAmounts(a, b) < 0;
const numberOf = (amount: string | undefined): number =>
  amount === undefined ? 0 : quantityToNumber(parseQuantity(amount));

/** What a limit range says against the amounts of a container or a pod. */
export function limitProblems(item: LimitItem, requests: Amounts, limits: Amounts): string[] {
  const { type, max = {}, maxLimitRequestRatio = {} } = item;
  return [
    ...minProblems(item, requests, limits),
    ...Object.entries(max).flatMap(([name, most]) => {
      const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
      const text = `maximum ${name} usage per ${type} is ${most}`;
      if (limit === undefined) return [`${text}.  No limit is specified`];
      if (isLess(most, limit)) return [`${text}, but limit is ${limit}`];
      return request !== undefined && isLess(most, request) ? [`${text}, but request is ${request}`] : [];
    }),
    ...Object.entries(maxLimitRequestRatio).flatMap(([name, most]) => {
      const [request, limit] = [numberOf(amountOf(requests, name)), numberOf(amountOf(limits, name))];
      const text = `${name} max limit to request ratio per ${type} is ${most}`;
      if (request === 0) return [`${text}, but no request is specified or request is 0`];
      if (limit === 0) return [`${text}, but no limit is specified or limit is 0`];
      const ratio = limit / request;
      return ratio > numberOf(most) ? [`${text}, but provided ratio is ${ratio.toFixed(6)}`] : [];
    }),
  ];
}

/** What a limit range says against what a claim asks for; claims have no limits. */
export function requestProblems(item: LimitItem, requests: Amounts): string[] {
  const ofMost = Object.entries(item.max ?? {}).flatMap(([name, most]) => {
    const request = amountOf(requests, name);
    const text = `maximum ${name} usage per ${item.type} is ${most}`;
    if (request === undefined) return [`${text}.  No request is specified`];
    return isLess(most, request) ? [`${text}, but request is ${request}`] : [];
  });
  return [...minProblems(item, requests, {}), ...ofMost];
}

function minProblems({ type, min = {} }: LimitItem, requests: Amounts, limits: Amounts): string[] {
  return Object.entries(min).flatMap(([name, least]) => {
    const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
    const text = `minimum ${name} usage per ${type} is ${least}`;
    if (request === undefined) return [`${text}.  No request is specified`];
    if (isLess(request, least)) return [`${text}, but request is ${request}`];
    return limit !== undefined && isLess(limit, least) ? [`${text}, but limit is ${limit}`] : [];
  });
}
