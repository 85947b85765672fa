import type { RecentName } from '@xs2a/contracts/pulse.contract';
import { counter } from '@xs2a/observability/metrics';
import { recentCount } from '@xs2a/observability/recent-counts';
import type { AuthorisationKind } from './catalogue/approval-kinds.js';
import type { Outcome } from './page-sessions.js';
import type { CodeVerdict } from './sign-in/challenges.js';
import { TooManySignIns } from './sign-in/sign-in-places.js';

/** What a PSU signs in for: to approve something, or to see the PSU's own pages. */
type Kind = AuthorisationKind | 'own-pages';

const steps = counter('xs2a_sca_steps_total', 'Steps of PSUs on the SCA pages, by what they are for', [
  'kind',
  'step',
  'outcome',
]);

/** Sign-ins and codes of the last five minutes, which the operators' console shows. */
const passed = recentCount('sca-passed' satisfies RecentName);
const failed = recentCount('sca-failed' satisfies RecentName);

/** Counts a sign-in: `failed` for a wrong password as well as for a locked PSU, `busy` if it could not be checked. */
export const countSignIn = async (
  kind: Kind,
  signIn: Promise<string | undefined>,
): Promise<string | undefined> => {
  try {
    const psuId = await signIn;
    steps.inc({ kind, step: 'sign-in', outcome: psuId === undefined ? 'failed' : 'passed' });
    (psuId === undefined ? failed : passed).inc();
    return psuId;
  } catch (error) {
    if (error instanceof TooManySignIns) steps.inc({ kind, step: 'sign-in', outcome: 'busy' });
    throw error;
  }
};

export const countCode = (kind: Kind, outcome: CodeVerdict): void => {
  steps.inc({ kind, step: 'code', outcome });
  (outcome === 'right' ? passed : failed).inc();
};

/** Counts the end of an authorisation: `authorised`, `partly`, or the reason why the PSU did not sign. */
export const countDecision = (kind: Kind, outcome: Outcome): void =>
  steps.inc({ kind, step: 'decision', outcome: 'reason' in outcome ? outcome.reason : outcome.kind });
