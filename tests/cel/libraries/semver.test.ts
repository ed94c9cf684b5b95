import {
  check,
  compile,
  createEnvironment,
  EvaluationError,
  ExpressionError,
  formatType,
  semvers,
  standard,
} from 'orch-apiserver/cel';
import { deviceEnvironment } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { k8s } from '../../../src/meta/dialect.js';
import { expressionCheck } from '../../../src/resources/resource/device-validation.js';

const environment = createEnvironment({ libraries: [standard, semvers] });
const value = (source: string) => {
  const { outcome } = compile(environment, check(environment, environment.parse(source))).evaluate({});
  return outcome instanceof EvaluationError ? outcome.message : outcome;
};

describe('semantic versions', () => {
  it.each([
    ['1.2.3', '1.2.3', 0],
    ['1.0.0', '1.2.3', -1],
    ['1.2.3', '1.0.0', 1],
    ['1.0.0-alpha', '1.0.0', -1],
    ['1.0.0-alpha.2', '1.0.0-alpha.10', -1],
    ['1.0.0-1', '1.0.0-a', -1],
    ['1.0.0-a.b', '1.0.0-a', 1],
    ['1.0.0+a', '1.0.0+b', 0],
  ])('%s and %s compare as %d', (a, b, order) => {
    expect(value(`semver('${a}').compareTo(semver('${b}'))`)).toBe(order);
    expect(value(`semver('${a}').isLessThan(semver('${b}'))`)).toBe(order < 0);
    expect(value(`semver('${a}').isGreaterThan(semver('${b}'))`)).toBe(order > 0);
    expect(value(`semver('${a}') == semver('${b}')`)).toBe(order === 0);
  });

  it('have three numbers', () => {
    expect(['major', 'minor', 'patch'].map((part) => value(`semver('1.2.3').${part}()`))).toEqual([1, 2, 3]);
    expect(value("isSemver('1.2.3-beta.1+build.1')")).toBe(true);
  });

  it.each(['', 'v1.0.0', ' 1.0.0', '1. 0.0', '1.0.0 ', '01.01.01', '1', '1.1'])('cannot be %j', (text) => {
    expect(value(`isSemver('${text}')`)).toBe(false);
  });

  it.each([
    ['v1.0', 'No Major.Minor.Patch elements found'],
    ['1.2.3.4', 'Invalid character(s) found in patch number "3.4"'],
    ['1.0.0-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ['1.0.0+', 'Build meta data is empty'],
    ['99999999999999999999.0.0', 'strconv.ParseUint: parsing "99999999999999999999": value out of range'],
  ])('%j is refused: %s', (text, message) => {
    expect(value(`semver('${text}')`)).toBe(message);
  });
});

describe('selectors of devices', () => {
  const devices = deviceEnvironment();
  const typeOf = (source: string) => {
    try {
      const checked = check(devices, devices.parse(source));
      return formatType(checked.types[checked.ast.root.id] as never);
    } catch (error) {
      if (error instanceof ExpressionError) return error.message;
      throw error;
    }
  };

  it.each([
    ['"no-such-domain" in device.attributes', 'bool'],
    ['device.driver == ""', 'bool'],
    ['device.attributes["dra.example.com"].name', 'any'],
    ['cel.bind(dra, device.attributes["dra.example.com"], dra.name)', 'any'],
    ['device.attributes["dra.example.com"].name > 0', 'bool'],
    ['device.attributes["dra.example.com"].a && device.attributes["dra.example.com"].b', 'bool'],
    ['device.attributes["dra.example.com"].name.isGreaterThan(semver("0.0.1"))', 'bool'],
    ['device.capacity["dra.example.com"].name.isGreaterThan(quantity("1Ki"))', 'bool'],
  ])('%s is of type %s', (source, type) => {
    expect(typeOf(source)).toBe(type);
  });

  it('can be attributes of unknown type, but not those of another type', async () => {
    const found = await expressionCheck([{ cel: { expression: 'true' } }], k8s);
    expect(found('device.attributes["dra.example.com"].name')).toBeUndefined();
    expect(found('1')).toBe('must evaluate to bool or the unknown type, not int');
    expect(found('device.driver')).toBe('must evaluate to bool or the unknown type, not string');
  });
});
