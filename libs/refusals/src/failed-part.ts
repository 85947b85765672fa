/** The name by which a call's row names the core bank (libs/contracts, `coreBankName`). */
const coreBank = 'core-bank';

/** Which part did not answer, and the page that says what to do. */
export interface FailedPart {
  readonly sentence: string;
  readonly runbook: string;
}

/** Explains a call that was answered 5xx. `dependency`: the part that did not answer, if it is known. */
export const failedPart = (dependency: string | null): FailedPart => ({
  sentence:
    dependency === null
      ? 'No part is known that did not answer. The log line of this request has the cause.'
      : `${dependency} did not answer in time.`,
  runbook: `docs/runbooks/${dependency === coreBank ? 'core-bank-slow' : 'service-does-not-answer'}.md`,
});
