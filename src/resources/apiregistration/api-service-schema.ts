import type { APIService } from './apiregistration-v1.types.js';
export type ApiServiceCondition = NonNullable<APIService['status']['conditions']>[number];
