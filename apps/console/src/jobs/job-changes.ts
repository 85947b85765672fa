/** The changes of a job by the staff, by the name of their action, with the outcomes that are recorded. */
export const jobChanges = {
  'pause-job': { from: 'running', to: 'paused', done: 'The job is paused.', refused: 'It was not running.' },
  'continue-job': {
    from: 'paused',
    to: 'running',
    done: 'The job continues.',
    refused: 'It was not paused.',
  },
} as const;
