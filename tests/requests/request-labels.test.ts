import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/meta/query.js';
import { headersOf } from '../../src/meta/request-headers.js';
import {
  cleanDryRun,
  cleanFieldValidation,
  cleanUsername,
  cleanVerb,
} from '../../src/requests/measures/request-labels.js';

describe('the verb of a request in metrics', () => {
  const APPLY = { 'content-type': 'application/apply-patch+yaml' };
  const of = (method: string, query: string, headers = {}, at: Partial<Parameters<typeof cleanVerb>[2]> = {}) =>
    cleanVerb({ method, headers: headersOf(headers) }, parseQuery(query), {
      scope: 'resource',
      subresource: '',
      watches: false,
      ...at,
    });

  it.each([
    ['GET', '', {}, {}, 'GET'],
    ['GET', '', {}, { scope: '' }, 'GET'],
    ['HEAD', '', {}, {}, 'GET'],
    ['GET', '', {}, { scope: 'namespace' }, 'LIST'],
    ['GET', 'blah=asdf&something=else', {}, { scope: 'cluster' }, 'LIST'],
    ['GET', 'watch=true', {}, { scope: 'cluster' }, 'WATCH'],
    ['GET', 'fieldSelector=metadata.name%3Dbaz&watch=true', {}, {}, 'WATCH'],
    ['GET', 'watch=false', {}, { scope: 'cluster' }, 'LIST'],
    ['GET', '', {}, { scope: 'cluster', watches: true }, 'WATCH'],
    ['GET', '', {}, { watches: true }, 'WATCH'],
    ['GET', '', {}, { subresource: 'log' }, 'CONNECT'],
    ['POST', '', {}, { subresource: 'exec' }, 'CONNECT'],
    ['POST', 'watch=true', {}, {}, 'POST'],
    ['PUT', '', {}, { subresource: 'status' }, 'PUT'],
    ['DELETE', '', {}, { scope: 'namespace' }, 'DELETE'],
    ['PATCH', '', APPLY, {}, 'APPLY'],
    ['PATCH', '', {}, {}, 'PATCH'],
    ['PATCH', '', { 'content-type': 'application/merge-patch+json' }, {}, 'PATCH'],
    ['POST', '', APPLY, {}, 'POST'],
    ['OPTIONS', '', {}, {}, 'other'],
    ['notValid', '', {}, {}, 'other'],
    ['', '', {}, {}, 'other'],
  ])('%s ?%s %j %j is %s', (method, query, headers, at, expected) => {
    expect(of(method, query, headers, at)).toBe(expected);
  });
});

describe('labels of metrics that clients influence', () => {
  it.each([
    ['', ''],
    ['fieldValidation=Ignore', 'Ignore'],
    ['fieldValidation=Warn', 'Warn'],
    ['fieldValidation=Strict', 'Strict'],
    ['fieldValidation=foo', 'invalid'],
    ['fieldValidation=strict', 'invalid'],
    ['fieldValidation=Strict&fieldValidation=Ignore', 'invalid'],
  ])('?%s has the field validation %j', (query, expected) => {
    expect(cleanFieldValidation(parseQuery(query))).toBe(expected);
  });

  it.each([
    ['', ''],
    ['dryRun=All', 'All'],
    ['dryRun=All&dryRun=All', 'All'],
    ['dryRun=', 'invalid'],
    ['dryRun=all', 'invalid'],
    ['dryRun=All&dryRun=Some', 'invalid'],
  ])('?%s has the dry run %j', (query, expected) => {
    expect(cleanDryRun(parseQuery(query))).toBe(expected);
  });

  it.each([
    ['admin', 'admin'],
    ['kubelet', 'kubelet'],
    ['system:serviceaccount:kube-system:default', 'system:serviceaccount:kube-system:default'],
    ['system:serviceaccount:default:default', 'other'],
    ['jane@example.com', 'email_id'],
    ['jane', 'other'],
    ['', 'other'],
  ])('user %j is %s', (name, expected) => {
    expect(cleanUsername(name)).toBe(expected);
  });
});
