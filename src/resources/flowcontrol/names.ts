/** The stem of the API group. */
export const FLOW_CONTROL = 'flowcontrol.apiserver';

/** The type of the condition that reports whether the priority level is missing. */
export const DANGLING = 'Dangling';
