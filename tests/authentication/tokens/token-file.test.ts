import { describe, expect, it } from 'vitest';
import { isTokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { readCsv } from '../../../src/authentication/tokens/csv.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { runAuthenticatorContract } from '../../../src/testing/authenticator-contract.js';
import { bearerCredentials } from '../../support/bearer-credentials.js';
import { fakeHost } from '../../support/hosts.js';

const FILE = `
token1,user1,uid1
token2,user2,uid2
token3,user3,uid3,"group1,group2"
token4,user4,uid4,"group2"
token5,user5,uid5,group5
token6,user6,uid6,group5,otherdata
token7,user7,uid7,"group1,group2",otherdata
`;

describe('tokenFile', () => {
  const authenticator = tokenFile(FILE)(fakeHost());
  it.each([
    ['token1', { username: 'user1', uid: 'uid1' }],
    ['token2', { username: 'user2', uid: 'uid2' }],
    ['token3', { username: 'user3', uid: 'uid3', groups: ['group1', 'group2'] }],
    ['token4', { username: 'user4', uid: 'uid4', groups: ['group2'] }],
    ['token5', { username: 'user5', uid: 'uid5', groups: ['group5'] }],
    ['token6', { username: 'user6', uid: 'uid6', groups: ['group5'] }],
    ['token7', { username: 'user7', uid: 'uid7', groups: ['group1', 'group2'] }],
  ])('authenticates %s', (token, user) => {
    expect(authenticator.authenticate(bearerCredentials(token))).toEqual({
      outcome: 'authenticated',
      user,
      authenticator: 'token-file',
    });
  });
  it.each(['token8', 'token', 'token11', '__proto__'])('has no opinion about %s', (token) => {
    expect(authenticator.authenticate(bearerCredentials(token))).toEqual({ outcome: 'skipped' });
  });
  it('can look up a token without a request', () => {
    expect(isTokenAuthenticator(authenticator)).toBe(true);
  });
  it('gives one empty group for an empty column', () => {
    expect(tokenFile('t,u,i,')(fakeHost()).authenticate(bearerCredentials('t'))).toMatchObject({
      user: { groups: [''] },
    });
  });
  it('refuses too few columns', () => {
    expect(() => tokenFile('a,b', { path: 'f.csv' })).toThrow(
      "token file 'f.csv' must have at least 3 columns (token, user name, user uid), found 2",
    );
  });
  it('warns of empty and repeated tokens; the last row wins', () => {
    const host = fakeHost();
    const repeated = tokenFile(',nobody,0\nt,a,1\nt,b,2\n')(host);
    expect(repeated.authenticate(bearerCredentials('t'))).toMatchObject({ user: { username: 'b' } });
    expect(host.lines).toEqual([
      "empty token has been found in token file 'token-auth-file', record number '1'",
      "duplicate token has been found in token file 'token-auth-file', record number '3'",
    ]);
  });
});

describe('readCsv', () => {
  it.each([
    ['', []],
    ['a,b,c', [['a', 'b', 'c']]],
    ['a\n\r\n\nb\r\n', [['a'], ['b']]],
    ['"a,b","c ""d""",', [['a,b', 'c "d"', '']]],
    ['"two\nlines",x', [['two\nlines', 'x']]],
    ['""\n', [['']]],
    ['a,"b"\r', [['a', 'b']]],
    ['a\n\r', [['a']]],
    ['# not,a comment', [['# not', 'a comment']]],
    [' a , b', [[' a ', ' b']]],
    [',', [['', '']]],
  ])('%j', (text, records) => {
    expect([...readCsv(text)]).toEqual(records);
  });
  it.each([
    ['a,b"c', 'parse error on line 1, column 4: bare " in non-quoted-field'],
    ['ü"', 'parse error on line 1, column 3: bare " in non-quoted-field'],
    ['x\n"a"b', 'parse error on line 2, column 3: extraneous or missing " in quoted-field'],
    ['"a', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
    ['x\n"a\nb"c', 'record on line 2; parse error on line 3, column 2: extraneous or missing " in quoted-field'],
  ])('refuses %j', (text, message) => {
    expect(() => [...readCsv(text)]).toThrow(new TypeError(message));
  });
});

runAuthenticatorContract('token-file', () => ({
  authenticator: tokenFile(FILE)(fakeHost()),
  good: bearerCredentials('token3'),
  user: { username: 'user3', uid: 'uid3', groups: ['group1', 'group2'] },
  bad: { unknown: bearerCredentials('nope') },
  badOutcome: 'skipped',
}));
