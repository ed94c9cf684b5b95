/** The stem of the group. */
export const FLOW_CONTROL = 'flowcontrol.apiserver';

/** The type of the condition that says whether the priority level is missing. */
export const DANGLING = 'Dangling';
