import type { Rule } from '../../admission/matching/rule.js';
import type { Selecting } from '../../admission/matching/selectors.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { LabelSelectorObject } from '../../selectors/label-selector-object.js';

export interface MatchResources extends Selecting {
  readonly resourceRules?: readonly Rule[];
  readonly excludeResourceRules?: readonly Rule[];
}

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** The fields of a ValidatingAdmissionPolicy that are evaluated. */
export interface PolicyObject extends ApiObject {
  readonly spec: {
    readonly paramKind?: ParamKind;
    readonly matchConstraints?: MatchResources;
    readonly failurePolicy?: string;
    readonly validations?: readonly {
      readonly expression: string;
      readonly message?: string;
      readonly reason?: string;
      readonly messageExpression?: string;
    }[];
    readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
    readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  };
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

/** A ValidatingAdmissionPolicyBinding. */
export interface BindingObject extends ApiObject {
  readonly spec: {
    readonly policyName?: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly string[];
  };
}
