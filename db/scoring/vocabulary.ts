/** The states of a run of the scoring. A `superseded` run ended without effect, because another run or attempt began. */
export const scoringStates = ['queued', 'running', 'scored', 'failed', 'superseded'] as const;
