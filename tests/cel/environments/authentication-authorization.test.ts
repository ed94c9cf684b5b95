import { adaptDynamic, type Value } from 'orch-apiserver/cel';
import {
  accessReviewBindings,
  accessReviewEnvironment,
  claimsEnvironment,
  compileAccessCondition,
  compileMapping,
  compileValidation,
  matchAccess,
  userEnvironment,
} from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

describe('expressions of authentication', () => {
  const json = (value: unknown) => adaptDynamic(value) as Value;

  it('see the claims of a token', () => {
    const { program } = compileMapping(claimsEnvironment(), 'claims.?name.orValue("none") + ":" + claims.groups[0]');
    expect(program.evaluate({ claims: json({ groups: ['a'] }) }).outcome).toBe('none:a');
    const missing = compileValidation(claimsEnvironment(), 'claims.hd == "x"').program.evaluate({ claims: json({}) });
    expect(missing.outcome).toMatchObject({ message: 'no such key: hd' });
  });
  it('refuse a claim of unknown type as a condition', () => {
    expect(() => compileValidation(claimsEnvironment(), 'claims.admin')).toThrow('must evaluate to bool');
    expect(() => compileValidation(claimsEnvironment(), 'claims.admin == true')).not.toThrow();
    // The type of a claim is as general as dyn, in either branch.
    const branches = ['has(claims.a) ? true : claims.a', 'has(claims.a) ? claims.a : true'];
    for (const rule of [...branches, 'optional.of(true).or(claims.?a).value()']) {
      expect(() => compileValidation(claimsEnvironment(), rule)).toThrow('must evaluate to bool');
    }
  });
  it('see the mapped user', () => {
    const source = '!user.username.startsWith("system:") && "a" in user.groups && user.extra["k"] == ["v"]';
    const { program } = compileValidation(userEnvironment(), source);
    const user = json({ username: 'jane', uid: '', groups: ['a'], extra: { k: ['v'] } });
    expect(program.evaluate({ user }).outcome).toBe(true);
    expect(() => compileValidation(userEnvironment(), 'user.name == ""')).toThrow("undefined field 'name'");
    expect(() => compileValidation(userEnvironment(), 'claims.a == 1')).toThrow("undeclared reference to 'claims'");
  });
});

describe('match conditions of authorization', () => {
  const conditions = (...expressions: readonly string[]) =>
    expressions.map((expression) => ({
      expression,
      compiled: compileAccessCondition(accessReviewEnvironment(), expression),
    }));
  const pods = { user: 'jane', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'a' } };

  it('see the spec of an access review, with absent strings as empty ones', () => {
    const bindings = accessReviewBindings(pods);
    const asked = conditions(
      'has(request.resourceAttributes) && !has(request.nonResourceAttributes)',
      "request.resourceAttributes.namespace == 'a' && request.resourceAttributes.name == ''",
      "request.groups.size() == 0 && request.extra.size() == 0 && request.uid == '' && request.user == 'jane'",
    );
    expect(matchAccess(asked, bindings)).toEqual({ matches: true });
  });
  it('skip the webhook if one is false, whatever the others return', () => {
    const bindings = accessReviewBindings({ nonResourceAttributes: { path: '/healthz', verb: 'get' } });
    const fails = "request.resourceAttributes.verb == 'get'";
    expect(matchAccess(conditions(fails, "request.user == 'jane'"), bindings)).toEqual({ matches: false });
    expect(matchAccess(conditions(fails, 'true'), bindings)).toEqual({
      matches: false,
      error: `cel evaluation error: expression '${fails}' resulted in error: no such key: resourceAttributes`,
    });
  });
  it('must return bool, and know selectors only if the gate is on', () => {
    expect(() => conditions('request.groups')).toThrow('must evaluate to bool but got list(string)');
    const selects = "request.resourceAttributes.fieldSelector.rawSelector == 'a=b'";
    expect(() => conditions(selects)).toThrow("undefined field 'fieldSelector'");
    const environment = accessReviewEnvironment({ authorizerSelectors: true });
    const compiled = compileAccessCondition(environment, selects);
    const attributes = { ...pods.resourceAttributes, fieldSelector: { rawSelector: 'a=b', requirements: [] } };
    const bindings = accessReviewBindings({ ...pods, resourceAttributes: attributes });
    expect(matchAccess([{ expression: selects, compiled }], bindings)).toEqual({ matches: true });
  });
  it('stop a condition that costs too much', () => {
    const list = Array.from({ length: 60 }, (_, i) => `x${i}`);
    const nested =
      'request.groups.all(a, request.groups.all(b, request.groups.all(c, request.groups.all(d, a + b != c + d + "."))))';
    const { error } = matchAccess(conditions(nested), accessReviewBindings({ groups: list }));
    expect(error).toContain('actual cost limit exceeded');
  });
});
