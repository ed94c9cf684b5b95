import { DYN, optionalOf, type Type, typeOf } from '../typing/type.js';
import { equals } from './equality.js';
import { ObjectValue, type Value } from './value.js';

const OPTIONAL_TYPE: Type = optionalOf(DYN);

/** A value that may be absent. */
export class Optional extends ObjectValue {
  /** The value; undefined for `optional.none()`. */
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
  get type(): Type {
    return OPTIONAL_TYPE;
  }
  equals(other: Value): boolean | undefined {
    if (!(other instanceof Optional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equals(this.value, other.value);
  }
}
/** The value of `optional.none()`. */
export const NONE = new Optional(undefined);

/** A type as a value, represented by its name at run time. */
export class TypeValue extends ObjectValue {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  get type(): Type {
    return typeOf();
  }
  override get mapKey(): string {
    return `type ${this.name}`;
  }
  equals(other: Value): boolean {
    return other instanceof TypeValue && other.name === this.name;
  }
}
