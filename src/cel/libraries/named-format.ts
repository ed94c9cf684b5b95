import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  nameIsDns1035Label,
  nameIsDns1123Label,
  nameIsDns1123Subdomain,
  qualifiedName,
  type Validator,
} from '../../meta/names.js';
import { isOfFormat } from '../../schema/constraints/string-formats.js';
import { once } from '../../values/memoize.js';
import { uriProblem } from '../../values/uri.js';
import type { OverloadCost } from '../cost/cost.js';
import { formatEstimates } from '../cost/library-estimates.js';
import { listOf, opaque, optionalOf, STRING, type Type } from '../typing/type.js';
import { byPackage } from '../typing/type-package.js';
import { ArrayList } from '../values/lists.js';
import { NONE, Optional } from '../values/optional.js';
import { costSize } from '../values/size.js';
import { ObjectValue, type Outcome, type Value } from '../values/value.js';
import { type Definition, global, libraryOf, member } from './declare.js';
import type { Library } from './library.js';
import { patternCost, traversal } from './standard.js';

class FormatValue extends ObjectValue {
  readonly name: string;
  readonly validate: Validator;
  /** The length of the format's pattern, which determines the actual cost of `validate`. */
  readonly patternSize: number;
  readonly type: Type;
  constructor(name: string, [validate, patternSize]: readonly [Validator, number], type: Type) {
    super();
    this.type = type;
    this.name = name;
    this.validate = validate;
    this.patternSize = patternSize;
  }
  equals(other: Value): boolean | undefined {
    return other instanceof FormatValue ? other.name === this.name : undefined;
  }
}

const valid: readonly string[] = [];
/** A format that schemas have, too. */
const ofSchemas =
  (name: string, message: string): Validator =>
  (text) =>
    isOfFormat(name, text) ? valid : [message];

const isUri: Validator = (text) => {
  const problem = uriProblem(text);
  return problem === undefined ? valid : [problem];
};

const FORMATS: Readonly<Record<string, readonly [Validator, number]>> = {
  dns1123Label: [dns1123Label, 30],
  dns1123Subdomain: [dns1123Subdomain, 60],
  dns1035Label: [dns1035Label, 30],
  qualifiedName: [qualifiedName, 60],
  dns1123LabelPrefix: [(text) => nameIsDns1123Label(text, true), 30],
  dns1123SubdomainPrefix: [(text) => nameIsDns1123Subdomain(text, true), 60],
  dns1035LabelPrefix: [(text) => nameIsDns1035Label(text, true), 30],
  labelValue: [labelValue, 40],
  uri: [isUri, 1103],
  uuid: [ofSchemas('uuid', 'does not match the UUID format'), 70],
  byte: [ofSchemas('byte', 'invalid base64'), 84],
  date: [ofSchemas('date', 'invalid date'), 71],
  datetime: [ofSchemas('datetime', 'invalid datetime'), 71],
};

function validate(format: FormatValue, text: string): Outcome {
  const problems = format.validate(text);
  return problems.length === 0 ? NONE : new Optional(new ArrayList(problems));
}

const COST: OverloadCost = {
  actual: ([format, text]) =>
    format instanceof FormatValue ? traversal(1 + costSize(text as Outcome)) * patternCost(format.patternSize) : 1,
};

/** Returns the library of named string formats: `format.dns1123Label().validate(x)`. It needs `optionals`. */
export const formatsIn = byPackage((typePackage): Library => {
  const type = opaque(`${typePackage}.NamedFormat`);
  const values = once(
    (): ReadonlyMap<string, FormatValue> =>
      new Map(Object.entries(FORMATS).map(([name, format]) => [name, new FormatValue(name, format, type)])),
  );
  const constants = (): Definition[] =>
    [...values()].map(([name, value]) => global(`format.${name}`, `format-${name}`, [], type, () => value));
  return libraryOf(
    () => [
      ...constants(),
      global('format.named', 'format-named', [STRING], optionalOf(type), (name: string) => {
        const found = values().get(name);
        return found === undefined ? NONE : new Optional(found);
      }),
      member('validate', 'format-validate', [type, STRING], optionalOf(listOf(STRING)), validate, COST),
    ],
    { name: 'format', estimates: formatEstimates },
  );
});
/** The library of named formats whose type is named as in upstream. */
export const formats: Library = formatsIn();
